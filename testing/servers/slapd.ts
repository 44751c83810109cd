import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { Attribute, Change, Client } from "ldapts";
import { waitFor } from "../app/wait-for.ts";
import { freePort } from "./nginx.ts";

export const SUFFIX = "dc=example,dc=org";
const ROOT_DN = `cn=root,${SUFFIX}`;
const PASSWORD = "the directory's own password";
/** Account that searches; the entry of {@link ROOT_DN}, which may read everything. */
export const SERVICE = { LDAP_BIND_DN: ROOT_DN, LDAP_BIND_PASSWORD: PASSWORD };

/** Attributes of an entry, of which some are bytes. */
export type Attributes = Readonly<Record<string, string | readonly string[] | Buffer>>;

const fixture = (name: string) => fileURLToPath(new URL(`../fixtures/tls/${name}.pem`, import.meta.url));

const TRIES = 5;

/** OpenLDAP's server with a directory of its own, and TLS with the certificate of `testing/fixtures/tls/`. */
export class Slapd implements AsyncDisposable {
  readonly port: number;
  readonly tlsPort: number;
  readonly #child: ChildProcess;
  readonly #folder: string;

  private constructor(ports: readonly [number, number], child: ChildProcess, folder: string) {
    [this.port, this.tlsPort] = ports;
    this.#child = child;
    this.#folder = folder;
  }

  static async start(executable: string): Promise<Slapd> {
    const folder = await mkdtemp(join(tmpdir(), "parley-slapd-"));
    await writeFile(join(folder, "slapd.conf"), settingsIn(folder));
    for (let tries = 1; ; tries++) {
      const ports = [await freePort("127.0.0.1"), await freePort("127.0.0.1")] as const;
      const urls = `ldap://127.0.0.1:${ports[0]} ldaps://127.0.0.1:${ports[1]}`;
      const child = spawn(executable, ["-f", join(folder, "slapd.conf"), "-h", urls, "-d", "0"], { stdio: "ignore" });
      const slapd = new Slapd(ports, child, folder);
      if (await slapd.#answers()) return slapd;
      if (tries === TRIES) throw new Error("slapd does not start");
    }
  }

  get url(): string {
    return `ldap://127.0.0.1:${this.port}`;
  }

  /** Adds an entry below the suffix. @returns its name */
  async add(name: string, attributes: Attributes): Promise<string> {
    const dn = `${name},${SUFFIX}`;
    await this.#asRoot((client) => client.add(dn, Object.entries(attributes).map(toAttribute)));
    return dn;
  }

  /** Adds a person below `ou=people`. @returns their name */
  async addPerson(uid: string, { password, ...given }: { password: string } & Attributes): Promise<string> {
    return this.add(`uid=${escapeRdn(uid)},ou=people`, {
      objectClass: ["inetOrgPerson", "extensibleObject"],
      uid,
      cn: "Ada Lovelace",
      sn: "Lovelace",
      userPassword: password,
      ...given,
    });
  }

  /** Adds a group below `ou=groups` with members, by their names. @returns its name */
  async addGroup(cn: string, ...member: string[]): Promise<string> {
    return this.add(`cn=${cn},ou=groups`, { objectClass: "groupOfNames", cn, member });
  }

  async replace(dn: string, attributes: Attributes): Promise<void> {
    const changes = Object.entries(attributes).map(
      (pair) => new Change({ operation: "replace", modification: toAttribute(pair) }),
    );
    await this.#asRoot((client) => client.modify(dn, changes));
  }

  /** Gives an entry another first name, such as `uid=ada`. */
  async rename(dn: string, name: string): Promise<void> {
    await this.#asRoot((client) => client.modifyDN(dn, name));
  }

  async remove(dn: string): Promise<void> {
    await this.#asRoot((client) => client.del(dn));
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#end();
    await rm(this.#folder, { recursive: true, force: true });
  }

  async #end(): Promise<void> {
    const { exitCode, signalCode } = this.#child;
    if (exitCode !== null || signalCode !== null) return;
    const closed = once(this.#child, "close");
    this.#child.kill("SIGTERM");
    await closed;
  }

  /** Waits until the directory has its first entries. @returns false if the process ended instead */
  async #answers(): Promise<boolean> {
    const outcome = await waitFor("slapd to answer", async () => {
      if (this.#child.exitCode !== null || this.#child.signalCode !== null) return "ended";
      return this.#fill().then(
        () => "filled",
        () => undefined,
      );
    });
    return outcome === "filled";
  }

  async #fill(): Promise<void> {
    await this.#asRoot((client) =>
      client.add(SUFFIX, { objectClass: ["dcObject", "organization"], dc: "example", o: "x" }),
    );
    for (const ou of ["people", "groups"]) await this.add(`ou=${ou}`, { objectClass: "organizationalUnit", ou });
  }

  async #asRoot(work: (client: Client) => Promise<void>): Promise<void> {
    await using client = new Client({ url: this.url });
    await client.bind(ROOT_DN, PASSWORD);
    await work(client);
  }
}

function toAttribute([type, value]: [string, Attributes[string]]): Attribute {
  if (Buffer.isBuffer(value)) return new Attribute({ type, values: [value] });
  return new Attribute({ type, values: [value].flat() });
}

/** RFC 4514, with hex digits for every character that could be special. */
function escapeRdn(value: string): string {
  return value.replace(/[^\p{L}\p{N}]/gu, (character) =>
    [...Buffer.from(character)].map((byte) => `\\${byte.toString(16).padStart(2, "0")}`).join(""),
  );
}

/** `bind_anon_cred` accepts a name without a password, as other directories do. */
function settingsIn(folder: string): string {
  return `
include /etc/ldap/schema/core.schema
include /etc/ldap/schema/cosine.schema
include /etc/ldap/schema/inetorgperson.schema
attributetype ( 1.2.840.113556.1.4.2 NAME 'objectGUID' EQUALITY octetStringMatch
  SYNTAX 1.3.6.1.4.1.1466.115.121.1.40 SINGLE-VALUE )
pidfile ${join(folder, "slapd.pid")}
modulepath /usr/lib/ldap
moduleload back_mdb
moduleload memberof
allow bind_anon_cred
TLSCACertificateFile ${fixture("ca")}
TLSCertificateFile ${fixture("server")}
TLSCertificateKeyFile ${fixture("server-key")}
database mdb
suffix "${SUFFIX}"
rootdn "${ROOT_DN}"
rootpw "${PASSWORD}"
directory ${folder}
access to attrs=userPassword by anonymous auth by * none
access to * by * read
overlay memberof
`;
}
