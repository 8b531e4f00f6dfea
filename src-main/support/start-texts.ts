import type { Locale } from '../../src-shared/ipc/contract/app'
import type { StartProblemCode } from './start-problem'

/**
 * What happened, what it means and what to do. Kept here because nothing is open yet, so the renderer's catalogs aren't
 * available.
 */
interface StartText {
  /** Replaces the usual title, which says that Countertag can't start. */
  title?: string
  what: string
  means: string
  next: string[]
}

export interface StartLanguage {
  lang: Locale
  title: string
  meansTitle: string
  nextTitle: string
  dataDir: string
  reportFile: string
  /** The heading above the sentence with the file's name. */
  detail: string
  problems: Record<StartProblemCode, StartText>
}

const tryAgain = 'Close this window and start Countertag again.'
const support = 'If it stays so, call support, and have the lines below ready.'
const otherFolder =
  'To go on working meanwhile, start Countertag with another folder: --data-dir FOLDER. It begins empty there; reports ' +
  'that wait in this one are sent once it can be opened again.'

const english: StartLanguage = {
  lang: 'en',
  title: 'Countertag cannot start',
  meansTitle: 'What it means',
  nextTitle: 'What to do',
  dataDir: 'Data folder',
  reportFile: 'Log file',
  detail: 'For support',
  problems: {
    'store/in-use': {
      what: 'Another Countertag is already open on this data.',
      means: 'Two of them could report a sale twice, so this one stays closed. Nothing is lost, nothing was changed.',
      next: [
        'Look for the window that is already open, and go on there.',
        'If there is none, restart the computer and start Countertag again.',
        'For a second till on this computer, start it with a folder of its own: --data-dir FOLDER.',
        support,
      ],
    },
    'store/damaged': {
      what: 'The saved data is damaged and could not be repaired.',
      means: 'It was left exactly as it is. Reports that were not sent yet may be in it: do not delete the folder.',
      next: ['Copy the data folder to a safe place.', tryAgain, otherFolder, support],
    },
    'store/newer': {
      what: 'The data was saved by a newer version of Countertag.',
      means:
        'The newer version changed how data is kept, and that cannot be changed back: this version would misread reports, and ' +
        'so it opens none of it. Nothing is lost; the PIN and the reports that wait stay as they are.',
      next: [
        'Install the newest Countertag on this computer.',
        tryAgain,
        'If you must go back to this version, ask your IT department: the data as it was before the upgrade is in the ' +
          'folder “backups”, in a file that begins with before-upgrade. Every report since then is missing in it.',
        support,
      ],
    },
    'store/no-access': {
      what: 'Countertag cannot read or write its data.',
      means: 'What cannot be saved must never look saved, so it stays closed. Nothing is lost, nothing was changed.',
      next: [
        'Check that the disk is connected, not full and not read-only, and that you may write to the data folder.',
        tryAgain,
        otherFolder,
        support,
      ],
    },
    'store/out-of-files': {
      what: 'This computer has too many files and connections open.',
      means:
        'Countertag could not open its data, so it stays closed. The data is not damaged: nothing is lost, nothing was changed.',
      next: [
        'Close programs that are not needed, then start Countertag again.',
        'If that does not help, restart the computer.',
        'If it happens again, ask your IT department to raise the limit of open files (“ulimit -n”, “LimitNOFILE”).',
        support,
      ],
    },
    'station/damaged': {
      what: 'The settings of this station are damaged or gone.',
      means:
        'They say which service this till reports to. Without them it would only practise, and look as if it sold, so ' +
        'it stays closed. Sales and reports that wait are safe in the data folder.',
      next: [
        'Put a good copy of station.json into the data folder: your operator has it, or a till beside this one.',
        tryAgain,
        support,
      ],
    },
    'policy/invalid': {
      what: "Your company's settings for Countertag can't be used.",
      means:
        'A file from your IT department says how this till works, and something in it is wrong. Countertag does not open ' +
        'with half of it. Nothing is lost; reports that wait stay as they are.',
      next: [
        'Call your IT department and read out the line “For support” below: it names the file and the field.',
        tryAgain,
      ],
    },
    'practice/unusable': {
      what: 'The practice store that comes with Countertag cannot be used.',
      means: 'A part of the installation is missing or was changed. Your own data is not affected.',
      next: ['Install Countertag again; the data folder stays as it is.', support],
    },
    'page/died': {
      title: 'The screen of Countertag has stopped',
      what: 'The part of Countertag that draws the screen ended twice, one time right after the other.',
      means:
        'Nothing is lost: sales and reports are saved in the data folder before anything else happens with them, and ' +
        'those that wait are sent. Only what was typed and not yet added is gone.',
      next: [
        'Close this window and start Countertag again. The order in front is still there.',
        'If it happens again, restart the computer: its memory or its graphics driver may be at fault.',
        support,
      ],
    },
    unexpected: {
      title: 'Countertag has stopped',
      what: 'Something went wrong inside Countertag.',
      means: 'What was saved is still in the data folder; reports that wait are sent once Countertag runs again.',
      next: [tryAgain, 'If that does not help, restart the computer.', support],
    },
  },
}

const intenteDeNuevo = 'Cierre esta ventana y abra Countertag otra vez.'
const soporte = 'Si sigue igual, llame a soporte y tenga a mano las líneas de abajo.'
const otraCarpeta =
  'Para seguir trabajando mientras tanto, abra Countertag con otra carpeta: --data-dir CARPETA. Allí empieza vacío; los ' +
  'informes que esperan en esta se envían cuando se pueda abrir de nuevo.'

const spanish: StartLanguage = {
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
        soporte,
      ],
    },
    'store/damaged': {
      what: 'Los datos guardados están dañados y no se pudieron reparar.',
      means: 'Se dejaron tal como están. Puede haber informes sin enviar en ellos: no borre la carpeta.',
      next: ['Copie la carpeta de datos a un lugar seguro.', intenteDeNuevo, otraCarpeta, soporte],
    },
    'store/newer': {
      what: 'Los datos son de una versión más nueva de Countertag.',
      means:
        'La versión más nueva cambió la forma de guardar los datos, y eso no se puede deshacer: esta versión leería mal los ' +
        'informes y por eso no abre nada. No se perdió nada; el PIN y los informes que esperan siguen como están.',
      next: [
        'Instale el Countertag más nuevo en este equipo.',
        intenteDeNuevo,
        'Si tiene que volver a esta versión, pregunte a informática: los datos como estaban antes de la actualización están ' +
          'en la carpeta «backups», en un archivo que empieza por before-upgrade. Allí faltan todos los informes posteriores.',
        soporte,
      ],
    },
    'store/no-access': {
      what: 'Countertag no puede leer o escribir sus datos.',
      means: 'Lo que no se puede guardar no debe parecer guardado; por eso no se abre. No se perdió ni cambió nada.',
      next: [
        'Revise que el disco esté conectado, no esté lleno ni protegido, y que usted pueda escribir en la carpeta.',
        intenteDeNuevo,
        otraCarpeta,
        soporte,
      ],
    },
    'store/out-of-files': {
      what: 'Este equipo tiene demasiados archivos y conexiones abiertos.',
      means:
        'Countertag no pudo abrir sus datos; por eso no se abre. Los datos no están dañados: no se perdió ni cambió nada.',
      next: [
        'Cierre los programas que no necesite y abra Countertag otra vez.',
        'Si no ayuda, reinicie el equipo.',
        'Si vuelve a pasar, pida a informática que suba el límite de archivos abiertos («ulimit -n», «LimitNOFILE»).',
        soporte,
      ],
    },
    'station/damaged': {
      what: 'La configuración de esta estación está dañada o falta.',
      means:
        'Dice a qué servicio informa esta caja. Sin ella solo practicaría y parecería que vende; por eso no se abre. ' +
        'Las ventas y los informes que esperan están a salvo en la carpeta de datos.',
      next: [
        'Ponga una copia buena de station.json en la carpeta de datos: la tiene su operador, u otra caja.',
        intenteDeNuevo,
        soporte,
      ],
    },
    'policy/invalid': {
      what: 'No se puede usar la configuración de su empresa para Countertag.',
      means:
        'Un archivo del departamento de informática dice cómo trabaja esta caja, y algo en él está mal. Countertag no se abre ' +
        'con la mitad. No se perdió nada; los informes que esperan siguen como están.',
      next: [
        'Llame a informática y lea la línea «Para soporte» de abajo: nombra el archivo y el campo.',
        intenteDeNuevo,
      ],
    },
    'practice/unusable': {
      what: 'La tienda de práctica que viene con Countertag no se puede usar.',
      means: 'Una parte de la instalación falta o fue cambiada. Sus propios datos no están afectados.',
      next: ['Instale Countertag otra vez; la carpeta de datos queda como está.', soporte],
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
        soporte,
      ],
    },
    unexpected: {
      title: 'Countertag se detuvo',
      what: 'Algo salió mal dentro de Countertag.',
      means:
        'Lo guardado sigue en la carpeta de datos; los informes que esperan se envían cuando Countertag vuelva a abrirse.',
      next: [intenteDeNuevo, 'Si no ayuda, reinicie el equipo.', soporte],
    },
  },
}

/** The page shows both, because the language isn't known that early. */
export const startLanguages: Record<Locale, StartLanguage> = { en: english, es: spanish }
