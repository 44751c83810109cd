import type { accounts as english } from "../en/accounts.ts";
import type { Translated } from "../translated.ts";

export const accounts: Translated<typeof english> = {
  or: "ou",
  showPassword: "Mostrar caracteres",
  hidePassword: "Ocultar caracteres",

  login: {
    title: "Entrar no {{product}} Chat",
    subtitle: "Que bom ver você de novo! Entre na sua conta.",
    username: "Nome de usuário",
    usernamePlaceholder: "Seu nome de usuário",
    password: "Senha",
    passwordPlaceholder: "Sua senha",
    submit: "Entrar",
    submitting: "Entrando…",
    failed: "Não foi possível entrar",
    googleFailed: "Não foi possível entrar com o Google",
    googleUnavailable: "Não foi possível carregar o botão do Google. Você pode entrar com sua senha.",
    googleSigningIn: "Entrando com o Google…",
    newHere: "Primeira vez aqui?",
    createAccount: "Crie uma conta",
    forgot: "Esqueceu a senha?",
    orReset: "Ou defina uma nova senha",
    kept: "Sua conta continua: ela não será excluída.",
  },

  forgot: {
    title: "Esqueceu a senha?",
    text: "Informe seu e-mail ou nome de usuário e enviaremos um link para você definir uma nova senha.",
    field: "E-mail ou nome de usuário",
    submit: "Enviar link",
    submitting: "Enviando…",
    failed: "Não foi possível enviar o link",
    back: "Voltar para o login",
    sentTitle: "Confira seu e-mail",
    nothingCame: "Nada depois de alguns minutos? Olhe na pasta de spam ou",
    again: "peça de novo",
  },

  reset: {
    title: "Defina uma nova senha",
    text: "Todas as suas sessões serão encerradas, e você entrará de novo com a nova senha.",
    password: "Nova senha",
    confirmPassword: "Confirme a senha",
    submit: "Definir senha",
    submitting: "Definindo…",
    failed: "Não foi possível definir a senha",
    missingText:
      "Esta página precisa do link do seu e-mail e o esquece ao ser recarregada. Abra o link de novo ou peça outro.",
    deadText: "Ele não é válido, expirou ou já foi usado. Peça um novo.",
    newLink: "Pedir novo link",
    doneTitle: "Sua senha está definida",
    stillSignedIn: "Neste navegador, você entrou como {{username}}.",
    toChats: "Ir para seus chats",
  },

  link: {
    deadTitle: "Este link não funciona mais",
    missingTitle: "Abra o link de novo",
    missingText:
      "Esta página precisa do link do seu e-mail e o esquece ao ser recarregada. Se ela ainda não avisou que deu certo, abra o link do e-mail de novo.",
    failed: "Não foi possível abrir este link",
    retry: "Tentar de novo",
    toChats: "Ir para seus chats",
    toSignIn: "Ir para o login",
    toSettings: "Ir para suas configurações",
  },

  confirmEmail: {
    title: "Seu novo endereço",
    working: "Confirmando…",
    doneTitle: "Endereço confirmado!",
    doneText: "De agora em diante, os e-mails sobre sua conta vão para o novo endereço.",
    doneElsewhere:
      "Se você abriu o link em um navegador diferente daquele em que o pediu, todas as sessões foram encerradas e o Google foi desconectado. Entre de novo; talvez seja preciso confirmar sua senha por e-mail.",
    nextChats: "Ir para seus chats",
    nextSignIn: "Ir para o login",
    deadText: "Ele não é válido, expirou ou já foi usado. Você pode pedir um novo nas configurações.",
  },

  undoEmail: {
    title: "Seu endereço anterior",
    working: "Sua conta está recuperando o endereço…",
    doneTitle: "Seu endereço voltou",
    doneText:
      "Sua conta voltou ao endereço anterior, e todas as sessões foram encerradas. Defina uma nova senha agora: outra pessoa pode saber a antiga.",
    next: "Definir nova senha",
    deadText: "Ele não é válido, expirou ou já foi usado. Se outra pessoa trocou seu endereço, avise a administração.",
  },

  advice: {
    common: "Esta senha está em listas de senhas comuns, as primeiras que outros tentam. Outra seria mais segura.",
    personal: "Dá para adivinhar esta senha pelo seu nome ou endereço. Outra seria mais segura.",
  },

  register: {
    title: "Criar conta",
    firstname: "Nome",
    lastname: "Sobrenome",
    username: "Nome de usuário",
    email: "E-mail",
    password: "Senha",
    confirmPassword: "Confirme a senha",
    submit: "Criar conta",
    submitting: "Criando conta…",
    failed: "Não foi possível criar a conta",
    doneTitle: "Conta criada!",
    doneText: "Confira seu e-mail e clique no link de verificação para ativar a conta.",
    doneAction: "Ir para o login",
    haveAccount: "Já tem uma conta?",
    signIn: "Entre aqui",
  },

  verify: {
    title: "Verifique seu e-mail",
    sentTo: "Digite o código de verificação enviado para",
    fromEmail: "Digite o código de verificação do seu e-mail",
    key: "Código de verificação",
    submit: "Verificar e-mail",
    submitting: "Verificando…",
    failed: "Não foi possível verificar o e-mail",
    doneTitle: "E-mail verificado!",
    doneText: "Sua conta está ativa. Indo para o chat…",
    notReceived: "Não recebeu o e-mail?",
    resend: "Reenviar e-mail de verificação",
    resending: "Enviando…",
    resendFailed: "Não foi possível reenviar o e-mail de verificação",
    already: "Já verificou?",
    signIn: "Entre aqui",
  },

  fields: {
    firstname: "Nome",
    lastname: "Sobrenome",
    username: "Nome de usuário",
    email: "E-mail",
    password: "Senha",
    confirmPassword: "Confirmação da senha",
    emailOrUsername: "E-mail ou nome de usuário",
    key: "Código",
  },
};
