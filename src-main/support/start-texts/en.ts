import type { StartLanguage } from '../start-texts'

const tryAgain = 'Close this window and start Countertag again.'
const support = 'If it stays so, call support, and have the two paths below ready.'
const otherFolder =
  'To go on working meanwhile, start Countertag with another folder: --data-dir FOLDER. It begins empty there; reports ' +
  'that wait in this one are sent once it can be opened again.'

export const english: StartLanguage = {
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
        'This version does not understand all of it, and so it opens none of it. Nothing is lost; the PIN and the ' +
        'reports that wait stay as they are.',
      next: ['Install the newest Countertag on this computer.', tryAgain, support],
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
