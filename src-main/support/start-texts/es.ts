import type { StartLanguage } from '../start-texts'

const tryAgain = 'Cierre esta ventana y abra Countertag otra vez.'
const support = 'Si sigue igual, llame a soporte y tenga a mano las dos rutas de abajo.'
const otherFolder =
  'Para seguir trabajando mientras tanto, abra Countertag con otra carpeta: --data-dir CARPETA. Allí empieza vacío; los ' +
  'informes que esperan en esta se envían cuando se pueda abrir de nuevo.'

export const spanish: StartLanguage = {
  lang: 'es',
  title: 'Countertag no puede abrirse',
  meansTitle: 'Qué significa',
  nextTitle: 'Qué hacer',
  dataDir: 'Carpeta de datos',
  reportFile: 'Archivo de registro',
  detail: 'Para soporte',
  problems: {
    'store/in-use': {
      what: 'Ya hay otro Countertag abierto con estos datos.',
      means: 'Dos a la vez podrían informar una venta dos veces; por eso este no se abre. No se perdió ni cambió nada.',
      next: [
        'Busque la ventana que ya está abierta y siga allí.',
        'Si no hay ninguna, reinicie el equipo y abra Countertag otra vez.',
        'Para una segunda caja en este equipo, ábrala con su propia carpeta: --data-dir CARPETA.',
        support,
      ],
    },
    'store/damaged': {
      what: 'Los datos guardados están dañados y no se pudieron reparar.',
      means: 'Se dejaron tal como están. Puede haber informes sin enviar en ellos: no borre la carpeta.',
      next: ['Copie la carpeta de datos a un lugar seguro.', tryAgain, otherFolder, support],
    },
    'store/newer': {
      what: 'Los datos son de una versión más nueva de Countertag.',
      means:
        'Esta versión no los entiende del todo y por eso no abre nada. No se perdió nada; el PIN y los informes que ' +
        'esperan siguen como están.',
      next: ['Instale el Countertag más nuevo en este equipo.', tryAgain, support],
    },
    'store/no-access': {
      what: 'Countertag no puede leer o escribir sus datos.',
      means: 'Lo que no se puede guardar no debe parecer guardado; por eso no se abre. No se perdió ni cambió nada.',
      next: [
        'Revise que el disco esté conectado, no esté lleno ni protegido, y que usted pueda escribir en la carpeta.',
        tryAgain,
        otherFolder,
        support,
      ],
    },
    'station/damaged': {
      what: 'La configuración de esta estación está dañada o falta.',
      means:
        'Dice a qué servicio informa esta caja. Sin ella solo practicaría y parecería que vende; por eso no se abre. ' +
        'Las ventas y los informes que esperan están a salvo en la carpeta de datos.',
      next: [
        'Ponga una copia buena de station.json en la carpeta de datos: la tiene su operador, u otra caja.',
        tryAgain,
        support,
      ],
    },
    'policy/invalid': {
      what: 'No se puede usar la configuración de su empresa para Countertag.',
      means:
        'Un archivo del departamento de informática dice cómo trabaja esta caja, y algo en él está mal. Countertag no se abre ' +
        'con la mitad. No se perdió nada; los informes que esperan siguen como están.',
      next: ['Llame a informática y lea la línea «Para soporte» de abajo: nombra el archivo y el campo.', tryAgain],
    },
    'practice/unusable': {
      what: 'La tienda de práctica que viene con Countertag no se puede usar.',
      means: 'Una parte de la instalación falta o fue cambiada. Sus propios datos no están afectados.',
      next: ['Instale Countertag otra vez; la carpeta de datos queda como está.', support],
    },
    'page/died': {
      title: 'La pantalla de Countertag se detuvo',
      what: 'La parte de Countertag que dibuja la pantalla terminó dos veces, una justo después de la otra.',
      means:
        'No se perdió nada: las ventas y los informes se guardan en la carpeta de datos antes que nada, y los que ' +
        'esperan se envían. Solo se perdió lo escrito y aún no añadido.',
      next: [
        'Cierre esta ventana y abra Countertag otra vez. El pedido que tenía delante sigue allí.',
        'Si vuelve a pasar, reinicie el equipo: puede fallar su memoria o el controlador de gráficos.',
        support,
      ],
    },
    unexpected: {
      title: 'Countertag se detuvo',
      what: 'Algo salió mal dentro de Countertag.',
      means:
        'Lo guardado sigue en la carpeta de datos; los informes que esperan se envían cuando Countertag vuelva a abrirse.',
      next: [tryAgain, 'Si no ayuda, reinicie el equipo.', support],
    },
  },
}
