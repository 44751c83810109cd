import type { access as english } from "../en/access.ts";
import type { Translated } from "../translated.ts";

export const access: Translated<typeof english> = {
  title: "Acessibilidade",
  promise:
    "{{product}} é feito para que todos possam usar: com o mouse, com o toque, só com o teclado, com leitor de tela, ampliado, em alto contraste. É construído para seguir as Web Content Accessibility Guidelines 2.2 no nível AA.",
  does: {
    title: "Com o que você pode contar",
    keyboard:
      "Tudo pode ser feito pelo teclado, e dá para ver o que está em foco. A tecla ? mostra todos os atalhos, e F6 leva a uma notificação e de volta.",
    spoken: "Um leitor de tela recebe cada frase de uma resposta assim que ela chega, sem ser interrompido.",
    seen: "O texto tem contraste de pelo menos 7 para 1, e as notas ao lado dele, de pelo menos 4,5 para 1. Em Configurações há um visual de alto contraste, em que é de 7 para 1 em ambos, texto maior para as respostas e um visual com menos movimento; as preferências do seu sistema são seguidas automaticamente.",
    zoom: "A 200% e em uma tela de 320 px nada fica cortado, e só tabelas e código precisam ser lidos rolando para o lado.",
    touch: "O que um dedo precisa tocar tem pelo menos 44 px de largura e de altura.",
    languages: "A página fala oito idiomas, um deles da direita para a esquerda.",
  },
  tested: {
    title: "Como isso é testado",
    text: "A cada mudança, verificações automáticas examinam com o axe todas as páginas em seus estados, no visual claro e no escuro, e percorrem as tarefas principais só pelo teclado, em uma tela de celular, a 200% e a 320 px, e com mais espaço entre letras, palavras e linhas. Os contrastes são calculados a partir das próprias cores.",
  },
  limits: {
    title: "O que ainda não funciona bem",
    answers: "O que o assistente escreve é dele: suas tabelas, títulos e fórmulas podem estar malformados.",
    diagrams: "Os diagramas nas respostas são imagens; o código deles pode ser mostrado como texto no lugar.",
    google: "O botão “Fazer login com o Google” vem do Google. Para entrar com senha, ele não é necessário.",
    screenReaders: "Até agora não houve testes com pessoas que usam leitores de tela todos os dias.",
  },
  contact: {
    title: "Algo está atrapalhando você?",
    text: "Avise quem cuida deste servidor; essa pessoa pode repassar a quem o desenvolve. O que mais ajuda é descrever o que você tentou, com qual navegador e qual recurso de apoio.",
  },
  reviewed: "Última revisão em {{date}}.",
  back: "Voltar",
};
