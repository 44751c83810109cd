import type { accounts as english } from "../en/accounts.ts";
import type { Translated } from "../translated.ts";

export const accounts: Translated<typeof english> = {
  or: "o",
  showPassword: "Mostrar caracteres",
  hidePassword: "Ocultar caracteres",

  login: {
    title: "Inicia sesión en {{product}} Chat",
    subtitle: "¡Qué bueno verte de nuevo! Inicia sesión en tu cuenta.",
    username: "Nombre de usuario",
    usernamePlaceholder: "Tu nombre de usuario",
    password: "Contraseña",
    passwordPlaceholder: "Tu contraseña",
    submit: "Iniciar sesión",
    submitting: "Iniciando sesión…",
    failed: "No se pudo iniciar sesión",
    googleFailed: "No se pudo iniciar sesión con Google",
    googleUnavailable: "No se pudo cargar el botón de Google. Puedes iniciar sesión con tu contraseña.",
    googleSigningIn: "Iniciando sesión con Google…",
    newHere: "¿Primera vez aquí?",
    createAccount: "Crea una cuenta",
    forgot: "¿Olvidaste tu contraseña?",
    orReset: "O establece una nueva contraseña",
    kept: "Tu cuenta se queda: no se eliminará.",
  },

  forgot: {
    title: "¿Olvidaste tu contraseña?",
    text: "Indica tu correo o tu nombre de usuario y te enviaremos un enlace para establecer una nueva contraseña.",
    field: "Correo o nombre de usuario",
    submit: "Enviar enlace",
    submitting: "Enviando…",
    failed: "No se pudo enviar el enlace",
    back: "Volver al inicio de sesión",
    sentTitle: "Revisa tu correo",
    nothingCame: "¿No ha llegado nada tras unos minutos? Mira en la carpeta de spam o",
    again: "vuelve a pedirlo",
  },

  reset: {
    title: "Nueva contraseña",
    text: "Se cerrará la sesión en todos tus dispositivos y volverás a entrar con la nueva contraseña.",
    otherText: "La cuenta de este enlace se desconectará de todos los dispositivos.",
    password: "Nueva contraseña",
    confirmPassword: "Repite la contraseña",
    submit: "Establecer contraseña",
    submitting: "Guardando…",
    failed: "No se pudo establecer la contraseña",
    missingText:
      "Esta página necesita el enlace de tu correo y lo olvida al recargarse. Vuelve a abrir el enlace o pide uno nuevo.",
    deadText: "No es válido, ha caducado o ya se usó. Pide uno nuevo, por favor.",
    newLink: "Pedir un nuevo enlace",
    doneTitle: "Tu contraseña está lista",
    stillSignedIn: "En este navegador la sesión es de {{username}}.",
    toChats: "Ir a tus chats",
  },

  link: {
    looking: "Comprobando el enlace…",
    account: "Cuenta",
    signedInHere: "Sesión iniciada aquí",
    linkedAccount: "Cuenta de este enlace",
    otherUntouched: "La cuenta con la que has iniciado sesión aquí no cambia.",
    deadTitle: "Este enlace ya no funciona",
    missingTitle: "Abre el enlace otra vez",
    missingText:
      "Esta página necesita el enlace de tu correo y lo olvida al recargarse. Si aún no te ha dicho que funcionó, vuelve a abrir el enlace del correo.",
    failed: "No se pudo abrir este enlace",
    retry: "Intentar de nuevo",
    toChats: "Ir a tus chats",
    toSignIn: "Ir al inicio de sesión",
    toSettings: "Ir a tus ajustes",
  },

  confirmEmail: {
    title: "Tu nueva dirección",
    askTitle: "¿Confirmar tu nueva dirección?",
    askText: "Los correos sobre esta cuenta irán entonces a la dirección en la que recibiste el enlace.",
    submit: "Confirmar dirección",
    submitting: "Confirmando…",
    doneTitle: "¡Dirección confirmada!",
    doneText: "A partir de ahora, los correos sobre tu cuenta irán a tu nueva dirección.",
    doneElsewhere:
      "Si abriste el enlace en un navegador distinto de aquel en que lo pediste, se cerró la sesión en todos los dispositivos y se desconectó Google. Vuelve a iniciar sesión; quizá debas confirmar tu contraseña por correo.",
    nextChats: "Ir a tus chats",
    nextSignIn: "Ir al inicio de sesión",
    deadText: "No es válido, ha caducado o ya se usó. Puedes pedir uno nuevo en tus ajustes.",
  },

  undoEmail: {
    title: "Tu dirección anterior",
    askTitle: "¿Recuperar tu dirección anterior?",
    askText:
      "Esta cuenta volverá a tener la dirección en la que recibiste el enlace, y se cerrará la sesión en todos los dispositivos.",
    submit: "Recuperar dirección",
    submitting: "Recuperando…",
    doneTitle: "Tu dirección ha vuelto",
    doneText:
      "Tu cuenta tiene otra vez su dirección anterior y se cerró la sesión en todos los dispositivos. Establece ahora una nueva contraseña: quizá otra persona conozca la antigua.",
    next: "Nueva contraseña",
    deadText:
      "No es válido, ha caducado o ya se usó. Si otra persona cambió tu dirección, avisa a quien administra este servidor.",
  },

  advice: {
    common:
      "Esta contraseña está en las listas de contraseñas comunes, las primeras que otros prueban. Otra sería más segura.",
    personal: "Esta contraseña se puede adivinar a partir de tu nombre o dirección. Otra sería más segura.",
  },

  register: {
    title: "Crear cuenta",
    firstname: "Nombre",
    lastname: "Apellido",
    username: "Nombre de usuario",
    email: "Correo",
    password: "Contraseña",
    confirmPassword: "Repite la contraseña",
    submit: "Crear cuenta",
    submitting: "Creando cuenta…",
    failed: "No se pudo crear la cuenta",
    doneTitle: "¡Cuenta creada!",
    doneText: "Revisa tu correo y haz clic en el enlace de verificación para activar tu cuenta.",
    doneAction: "Ir al inicio de sesión",
    haveAccount: "¿Ya tienes una cuenta?",
    signIn: "Inicia sesión aquí",
  },

  verify: {
    title: "Verifica tu correo",
    sentTo: "Escribe el código de verificación enviado a",
    fromEmail: "Escribe el código de verificación que recibiste por correo",
    key: "Código de verificación",
    submit: "Verificar correo",
    submitting: "Verificando…",
    failed: "No se pudo verificar el correo",
    doneTitle: "¡Correo verificado!",
    doneText: "Tu cuenta está activa. Vamos al chat…",
    notReceived: "¿No recibiste el correo?",
    resend: "Reenviar el correo de verificación",
    resending: "Enviando…",
    resendFailed: "No se pudo reenviar el correo de verificación",
    switchTitle: "¿Cambiar a otra cuenta?",
    switchText:
      "Este enlace verifica una cuenta distinta de la que tiene la sesión iniciada aquí. Si continúas, este navegador cerrará la sesión de una e iniciará la de la otra.",
    switchSubmit: "Verificar y cambiar",
    switchStay: "Seguir en mi sesión",
    arrived: "Sesión iniciada como {{username}}.",
    notMe: "¿No eres tú? Cerrar sesión",
    already: "¿Ya está verificado?",
    signIn: "Inicia sesión aquí",
  },

  fields: {
    firstname: "Nombre",
    lastname: "Apellido",
    username: "Nombre de usuario",
    email: "Correo",
    password: "Contraseña",
    confirmPassword: "Contraseña repetida",
    emailOrUsername: "Correo o nombre de usuario",
    key: "Código",
  },
};
