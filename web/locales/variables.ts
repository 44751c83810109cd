// biome-ignore-all format: written by catalogues.test.ts
// biome-ignore-all lint/style/noExcessiveLinesPerFile: written by catalogues.test.ts

/** The variables of the English texts: TypeScript reads keys from JSON, but no literal types. */
export type Variables = {
  "access": {
    "promise": "{{product}}",
    "reviewed": "{{date}}"
  },
  "accounts": {
    "login": {
      "title": "{{product}}"
    },
    "reset": {
      "stillSignedIn": "{{username}}"
    },
    "invited": {
      "by": "{{inviter}} {{product}}",
      "text": "{{product}}",
      "open": "{{product}}"
    },
    "verify": {
      "arrived": "{{username}}"
    }
  },
  "actions": {
    "signsHint": "{{keys}}"
  },
  "administration": {
    "overview": {
      "warnings": {
        "disk-nearly-full": "{{free}}",
        "budget-used-up": "{{time}}",
        "budget-nearly-used": "{{percent}}",
        "group-budgets-used-up_one": "{{count}}",
        "group-budgets-used-up_other": "{{count}}",
        "group-budgets-nearly-used_one": "{{count}}",
        "group-budgets-nearly-used_other": "{{count}}"
      },
      "chart": {
        "total": "{{replies}}",
        "most": "{{date}} {{replies}}"
      },
      "providers": {
        "skipped": "{{time}}",
        "lastSuccess": "{{time}}",
        "lastError": "{{reason}} {{time}}"
      },
      "server": {
        "diskOf": "{{free}} {{size}}"
      }
    },
    "people": {
      "count_one": "{{count}}",
      "count_other": "{{count}}",
      "select": "{{name}}",
      "selected_one": "{{count}}",
      "selected_other": "{{count}}"
    },
    "confirm": {
      "disableTitle_one": "{{count}}",
      "disableTitle_other": "{{count}}",
      "deleteTitle_one": "{{count}}",
      "deleteTitle_other": "{{count}}"
    },
    "done_one": "{{count}}",
    "done_other": "{{count}}",
    "unchanged_one": "{{count}}",
    "unchanged_other": "{{count}}",
    "refused": "{{name}} {{reason}}",
    "person": {
      "storageOf": "{{quota}} {{used}}",
      "storageDefault": "{{used}}",
      "files_one": "{{count}}",
      "files_other": "{{count}}",
      "replies_one": "{{count}}",
      "replies_other": "{{count}}",
      "tokens": "{{input}} {{output}}"
    },
    "audit": {
      "by": "{{actor}}",
      "change": "{{after}} {{before}} {{field}}",
      "tested": {
        "ok": "{{provider}}",
        "failed": "{{provider}}"
      },
      "people_one": "{{count}}",
      "people_other": "{{count}}"
    }
  },
  "app": {
    "notFoundText": "{{path}}",
    "documentTitle": "{{page}} {{product}}",
    "documentTitleCounted": "{{count}} {{title}}",
    "wait": {
      "seconds_one": "{{count}}",
      "seconds_other": "{{count}}",
      "minutes_one": "{{count}}",
      "minutes_other": "{{count}}",
      "hours_one": "{{count}}",
      "hours_other": "{{count}}",
      "tooOften": "{{wait}}"
    }
  },
  "appearance": {
    "writing": {
      "combined": "{{keys}}"
    }
  },
  "branches": {
    "regenerateWith": "{{model}}",
    "version": "{{count}} {{n}}",
    "versionBy": "{{count}} {{model}} {{n}}"
  },
  "bulk": {
    "tooLarge": "{{size}}",
    "tooMany": "{{max}}",
    "found_one": "{{count}}",
    "found_other": "{{count}}",
    "leftOut_one": "{{count}}",
    "leftOut_other": "{{count}}",
    "line": "{{line}}",
    "more_one": "{{count}}",
    "more_other": "{{count}}",
    "submit_one": "{{count}}",
    "submit_other": "{{count}}",
    "progress": "{{done}} {{total}}",
    "pause": "{{wait}}",
    "report": "{{done}} {{total}}"
  },
  "chat": {
    "sidebar": {
      "delete": "{{title}}",
      "more": "{{title}}"
    },
    "elsewhere": {
      "deleted": "{{title}}",
      "deletedWithWords": "{{title}}"
    },
    "messages": {
      "jumpNew": "{{n}}",
      "retryWith": "{{model}}"
    },
    "spoken": {
      "codeIn": "{{language}}"
    },
    "footnotes": {
      "back": "{{name}}"
    },
    "image": "{{name}}",
    "model": {
      "named": "{{name}}"
    },
    "welcome": {
      "hello": "{{name}}"
    }
  },
  "classSheet": {
    "open": "{{address}}",
    "validUntil": "{{time}}"
  },
  "files": {
    "failure": {
      "size": "{{size}}",
      "count": "{{max}}"
    },
    "dropLimits": "{{max}} {{size}}",
    "remove": "{{name}}",
    "removed": "{{name}}",
    "removedCount_one": "{{count}}",
    "removedCount_other": "{{count}}",
    "retryOf": "{{name}}",
    "problem": "{{name}} {{reason}}",
    "attached": "{{name}}",
    "pastedText": "{{name}}",
    "tooLong": "{{length}} {{max}}",
    "uploaded": "{{name}}",
    "waiting_one": "{{count}}",
    "waiting_other": "{{count}}",
    "unread": {
      "picture": "{{model}}",
      "pdf": "{{model}}",
      "both": "{{model}}",
      "use": "{{model}}"
    },
    "pages_one": "{{count}}",
    "pages_other": "{{count}}",
    "enlarge": "{{name}}",
    "open": "{{name}}",
    "downloadOf": "{{name}}",
    "notDownloaded": "{{name}}",
    "isGone": "{{name}}",
    "viewer": {
      "position": "{{count}} {{n}}",
      "page": "{{count}} {{n}}",
      "furtherPages_one": "{{count}}",
      "furtherPages_other": "{{count}}"
    },
    "received": {
      "page": "{{n}}",
      "slide": "{{n}}",
      "pagesLeftOut_one": "{{count}}",
      "pagesLeftOut_other": "{{count}}"
    }
  },
  "groups": {
    "full": "{{max}}",
    "members_one": "{{count}}",
    "members_other": "{{count}}",
    "editLabel": "{{name}}",
    "deleteLabel": "{{name}}",
    "deleteTitle": "{{name}}",
    "deleteText_one": "{{count}}",
    "deleteText_other": "{{count}}",
    "deleted_one": "{{count}}",
    "deleted_other": "{{count}}",
    "revoked_one": "{{count}}",
    "revoked_other": "{{count}}",
    "facts": {
      "count_one": "{{count}}",
      "count_other": "{{count}}",
      "unknown_one": "{{count}}",
      "unknown_other": "{{count}}"
    },
    "form": {
      "chosen_one": "{{count}}",
      "chosen_other": "{{count}}"
    },
    "person": {
      "listOwn": "{{quota}}",
      "listGroup": "{{quota}}"
    },
    "invite": {
      "own": "{{name}}"
    }
  },
  "installation": {
    "problem": {
      "tooLong": "{{max}}",
      "number": "{{max}}",
      "tooMany": "{{max}}",
      "tooManyNetworks": "{{max}}"
    },
    "source": {
      "environment": "{{variable}}",
      "database": "{{time}}"
    },
    "resetLabel": "{{setting}}",
    "saveLabel": "{{setting}}",
    "saved": "{{setting}}",
    "undone": "{{setting}}",
    "notice": {
      "currentUntil": "{{time}}"
    },
    "setup": {
      "progress": "{{all}} {{done}}",
      "skipLabel": "{{step}}",
      "keepLabel": "{{step}}",
      "unskipLabel": "{{step}}",
      "testMailSent": "{{address}}",
      "testMailFiled": "{{address}}"
    }
  },
  "invitations": {
    "uses": "{{usesMax}} {{uses}}",
    "expires": "{{time}}",
    "expired": "{{time}}",
    "by": "{{name}} {{time}}",
    "byGone": "{{time}}",
    "users_one": "{{count}}",
    "users_other": "{{count}}",
    "usersDeleted_one": "{{count}}",
    "usersDeleted_other": "{{count}}",
    "revokeLabel": "{{name}}",
    "form": {
      "usesHint": "{{max}}",
      "days_one": "{{count}}",
      "days_other": "{{count}}",
      "hours_one": "{{count}}",
      "hours_other": "{{count}}"
    },
    "created": {
      "forOne": "{{address}}",
      "mailed": "{{address}}"
    },
    "createdCode": {
      "text": "{{address}}"
    }
  },
  "modelMenu": {
    "inState": "{{name}} {{state}}"
  },
  "models": {
    "context": "{{tokens}}",
    "price": "{{input}} {{output}}",
    "inMenu": "{{name}}",
    "inMenus": "{{all}} {{shown}}"
  },
  "notice": {
    "owner": "{{product}}",
    "setup_one": "{{count}} {{product}}",
    "setup_other": "{{count}} {{product}}",
    "connected": "{{name}}",
    "connectedMore_one": "{{count}} {{name}}",
    "connectedMore_other": "{{count}} {{name}}"
  },
  "organise": {
    "folders": {
      "count_one": "{{count}}",
      "count_other": "{{count}}",
      "more": "{{name}}"
    },
    "selection": {
      "count_one": "{{count}}",
      "count_other": "{{count}}"
    },
    "told": {
      "deleted_one": "{{count}}",
      "deleted_other": "{{count}}",
      "archived_one": "{{count}}",
      "archived_other": "{{count}}",
      "unarchived_one": "{{count}}",
      "unarchived_other": "{{count}}",
      "pinned_one": "{{count}}",
      "pinned_other": "{{count}}",
      "unpinned_one": "{{count}}",
      "unpinned_other": "{{count}}",
      "moved_one": "{{count}} {{name}}",
      "moved_other": "{{count}} {{name}}",
      "named": {
        "deleted": "{{title}}",
        "archived": "{{title}}",
        "unarchived": "{{title}}",
        "moved": "{{name}} {{title}}"
      },
      "unfiled_one": "{{count}}",
      "unfiled_other": "{{count}}",
      "folderDeleted": "{{name}}",
      "folderMoved": "{{all}} {{name}} {{place}}"
    }
  },
  "ownership": {
    "become": {
      "text": "{{username}}"
    },
    "text": "{{name}}",
    "openShares": "{{owner}}",
    "openHandsOver": "{{owner}}",
    "ends": "{{time}}",
    "readyText": "{{address}}"
  },
  "parts": {
    "reasoning": {
      "growing": "{{time}}",
      "done": "{{time}}"
    },
    "notices": {
      "cut_one": "{{count}}",
      "cut_other": "{{count}}",
      "model": "{{instead}} {{model}}",
      "continued": "{{instead}} {{model}}",
      "effort": "{{asked}} {{used}}",
      "file": {
        "none": "{{name}}",
        "text": "{{name}}",
        "part": "{{name}}",
        "refused": {
          "none": "{{name}}",
          "text": "{{name}}"
        },
        "animated": "{{name}}"
      },
      "files": "{{names}}",
      "budget": {
        "account": "{{percent}}",
        "group": "{{percent}}"
      }
    }
  },
  "presets": {
    "menu": {
      "named": "{{name}}"
    },
    "effort": {
      "named": "{{name}}",
      "nearest": "{{model}} {{used}} {{wanted}}"
    },
    "list": {
      "keys": "{{keys}}",
      "more": "{{name}}",
      "editNamed": "{{name}}",
      "copy": "{{name}}",
      "up": "{{name}}",
      "down": "{{name}}",
      "moved": "{{count}} {{name}} {{place}}",
      "duplicated": "{{name}}",
      "deleted": "{{name}}",
      "restored": "{{name}}",
      "warmth": "{{value}}"
    },
    "form": {
      "added": "{{name}}",
      "changed": "{{name}}"
    }
  },
  "print": {
    "preparing": "{{n}} {{total}}",
    "notes": {
      "window": "{{keys}}"
    }
  },
  "providers": {
    "testLabel": "{{name}}",
    "answered": "{{model}} {{time}}",
    "said": "{{answer}}",
    "cost": "{{cost}}",
    "tried": "{{model}}",
    "refusals": {
      "model-or-address": "{{host}}",
      "address": "{{host}}",
      "unreachable": "{{host}}"
    },
    "advice": {
      "key": "{{key}}",
      "permission": "{{key}}",
      "credit": "{{key}}",
      "model": "{{key}}",
      "model-or-address": "{{url}}",
      "address": "{{url}}",
      "unreachable": "{{url}}"
    }
  },
  "queue": {
    "retryIn": "{{wait}}"
  },
  "search": {
    "none": "{{query}}",
    "noneFiltered": "{{query}}",
    "found_one": "{{count}}",
    "found_other": "{{count}}",
    "foundMore": "{{count}}"
  },
  "settings": {
    "data": {
      "lastActive": "{{time}}",
      "unarchiveOne": "{{title}}",
      "deleteOne": "{{title}}",
      "stored": "{{max}} {{size}}",
      "storedInChat": "{{max}}"
    },
    "email": {
      "done": "{{email}}",
      "pending": "{{email}}"
    },
    "sessions": {
      "lastSeen": "{{time}}",
      "firstSeen": "{{method}} {{time}}",
      "endLabel": "{{device}}",
      "endLabelWithIp": "{{device}} {{ip}}",
      "ended": "{{device}}"
    },
    "device": {
      "both": "{{browser}} {{system}}"
    },
    "deletion": {
      "confirm": "{{username}}",
      "doneLater": "{{date}}"
    }
  },
  "transfer": {
    "soFar": "{{size}}",
    "share": "{{percent}}",
    "imported_zero": "{{count}}",
    "imported_one": "{{count}}",
    "imported_other": "{{count}}",
    "skipped_one": "{{count}}",
    "skipped_other": "{{count}}",
    "files_one": "{{count}}",
    "files_other": "{{count}}",
    "left_one": "{{count}}",
    "left_other": "{{count}}",
    "lacking_one": "{{count}}",
    "lacking_other": "{{count}}",
    "lostFiles_one": "{{count}}",
    "lostFiles_other": "{{count}}",
    "more_one": "{{count}}",
    "more_other": "{{count}}"
  },
  "usage": {
    "monthLabel_one": "{{cost}} {{count}} {{month}}",
    "monthLabel_other": "{{cost}} {{count}} {{month}}",
    "ofWhichCached": "{{tokens}}",
    "ofWhichWritten": "{{tokens}}",
    "ofWhichReasoning": "{{tokens}}",
    "callCount_one": "{{count}}",
    "callCount_other": "{{count}}",
    "priced": "{{date}}",
    "seconds": "{{seconds}}",
    "refusal": {
      "account": "{{limit}} {{time}}",
      "group": "{{time}}",
      "installation": "{{time}}"
    },
    "budget": {
      "of": "{{limit}} {{spent}}",
      "fine": "{{time}}",
      "low": "{{time}}",
      "usedUp": "{{time}}",
      "reserved": "{{amount}}"
    }
  }
};
