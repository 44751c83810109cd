/** Signing in, registering, verifying an address, and the ways back into an account. */
export const accounts = {
  or: "or",
  showPassword: "Show characters",
  hidePassword: "Hide characters",

  login: {
    title: "{{product}} Chat Login",
    subtitle: "Welcome back! Please sign in to your account.",
    username: "Username",
    usernamePlaceholder: "Enter your username",
    password: "Password",
    passwordPlaceholder: "Enter your password",
    submit: "Sign In",
    submitting: "Signing in...",
    failed: "Login failed",
    googleFailed: "Google login failed",
    googleUnavailable: "The Google button could not be loaded. You can sign in with your password.",
    googleSigningIn: "Signing in with Google…",
    newHere: "New here?",
    createAccount: "Create an account",
    forgot: "Forgot your password?",
    orReset: "Or set a new password",
    kept: "Your account stays: it will not be deleted.",
  },

  forgot: {
    title: "Forgot Your Password?",
    text: "Tell us your email address or your username, and we will send you a link to set a new password.",
    field: "Email or username",
    submit: "Send Link",
    submitting: "Sending...",
    failed: "The link could not be sent",
    back: "Back to sign in",
    sentTitle: "Check Your Mail",
    nothingCame: "Nothing there after a few minutes? Please look into the spam folder, or",
    again: "ask again",
  },

  reset: {
    title: "Set a New Password",
    text: "You will be signed out on all devices, and sign in with the new password.",
    otherText: "The account of this link will be signed out on all devices.",
    password: "New Password",
    confirmPassword: "Confirm Password",
    submit: "Set Password",
    submitting: "Setting Password...",
    failed: "The password could not be set",
    missingText:
      "This page needs the link from your mail, and forgets it when it is reloaded. Please open the link again, or ask for a new one.",
    deadText: "It is not valid, has expired or was used before. Please ask for a new one.",
    newLink: "Get a New Link",
    doneTitle: "Your Password Is Set",
    stillSignedIn: "In this browser you are signed in as {{username}}.",
    toChats: "Go to Your Chats",
  },

  /** Links of mails that do something after a click. */
  link: {
    looking: "Checking the link...",
    account: "Account",
    signedInHere: "Signed in here",
    linkedAccount: "Account of this link",
    otherUntouched: "The account that is signed in here stays as it is.",
    deadTitle: "This Link No Longer Works",
    missingTitle: "Open the Link Again",
    missingText:
      "This page needs the link from your mail, and forgets it when it is reloaded. Unless it has told you already that it worked, please open the link from the mail again.",
    failed: "This link could not be opened",
    retry: "Try Again",
    toChats: "Go to your chats",
    toSignIn: "Go to sign in",
    toSettings: "Go to your settings",
  },

  confirmEmail: {
    title: "Your New Address",
    askTitle: "Confirm Your New Address?",
    askText: "Mails about this account will then go to the address at which you received the link.",
    submit: "Confirm Address",
    submitting: "Confirming...",
    doneTitle: "Address Confirmed!",
    doneText: "From now on, mails about your account go to your new address.",
    doneElsewhere:
      "If you opened this in another browser than the one in which you asked for it, all devices were signed out and Google was disconnected. Please sign in again; you may be asked to confirm your password by mail.",
    nextChats: "Go to Your Chats",
    nextSignIn: "Go to Sign In",
    deadText: "It is not valid, has expired or was used before. You can ask for a new one in your settings.",
  },

  undoEmail: {
    title: "Your Former Address",
    askTitle: "Take Your Former Address Back?",
    askText:
      "This account will then have the address at which you received the link again, and be signed out on all devices.",
    submit: "Take Address Back",
    submitting: "Taking it back...",
    doneTitle: "Your Address Is Back",
    doneText:
      "Your account has its former address again, and was signed out on all devices. Please set a new password now: somebody else may know the old one.",
    next: "Set a New Password",
    deadText:
      "It is not valid, has expired or was used before. If somebody else has changed your address, please tell the administrator.",
  },

  /** Under a new password that is taken all the same. */
  advice: {
    common: "This password is on lists of common ones, which others try first. Another one would be safer.",
    personal: "This password can be guessed from your name or address. Another one would be safer.",
  },

  register: {
    title: "Create Account",
    firstname: "First Name",
    lastname: "Last Name",
    username: "Username",
    email: "Email",
    password: "Password",
    confirmPassword: "Confirm Password",
    submit: "Create Account",
    submitting: "Creating Account...",
    failed: "Registration failed",
    doneTitle: "Registration Successful!",
    doneText: "Please check your email and click the verification link to activate your account.",
    doneAction: "Go to Login",
    haveAccount: "Already have an account?",
    signIn: "Sign in here",
  },

  verify: {
    title: "Verify Your Email",
    sentTo: "Please enter the verification key sent to",
    fromEmail: "Please enter the verification key from your email",
    key: "Verification Key",
    submit: "Verify Email",
    submitting: "Verifying...",
    failed: "Email verification failed",
    doneTitle: "Email Verified Successfully!",
    doneText: "Your account has been activated. Redirecting to chat...",
    notReceived: "Didn't receive the email?",
    resend: "Resend verification email",
    resending: "Sending...",
    resendFailed: "Failed to resend verification email",
    switchTitle: "Switch to Another Account?",
    switchText:
      "This link verifies another account than the one that is signed in here. Continuing signs this browser out of the one and in to the other.",
    switchSubmit: "Verify and Switch",
    switchStay: "Stay Signed In",
    arrived: "Signed in as {{username}}.",
    notMe: "Not you? Log out",
    already: "Already verified?",
    signIn: "Sign in here",
  },

  /** Names of fields in sentences: the payload's names, capitalised, as the specification has them. */
  fields: {
    firstname: "Firstname",
    lastname: "Lastname",
    username: "Username",
    email: "Email",
    password: "Password",
    confirmPassword: "ConfirmPassword",
    emailOrUsername: "Email or username",
    key: "Key",
  },
} as const;
