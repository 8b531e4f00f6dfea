/** Ajustes > Tienda: esta computadora mantiene el centro de la tienda. */
export const hosting = {
  'hosting.title': 'Esta computadora mantiene la tienda',
  'hosting.what':
    'Para una tienda sin servidor propio: el centro de la tienda funciona en esta computadora, y las demás estaciones se unen por la red local.',
  'hosting.off-means':
    'Si esta computadora está apagada o suspendida, o Countertag está cerrado aquí, las demás estaciones se quedan sin centro de la tienda: venden con los artículos marcados «Sin comprobar con las demás estaciones» o los rechazan, según se eligió allí. Déjela encendida mientras la tienda esté abierta.',
  'hosting.begin': 'Mantener la tienda en esta computadora',
  'hosting.other':
    'Esta computadora mantiene la tienda de otra conexión. Cambie a esa conexión para modificarla o detenerla.',
  'hosting.state.off': 'Apagado',
  'hosting.state.starting': 'Arrancando',
  'hosting.state.running': 'En marcha',
  'hosting.state.failed': 'Parado',
  'hosting.address': 'Dirección para las demás estaciones',
  'hosting.firewall':
    'Si las demás estaciones no reciben respuesta, abra el puerto TCP {port} en el cortafuegos de esta computadora, solo para la red local.',
  'hosting.next': 'Para agregar una estación, use «Mostrar código de unión», arriba.',
  'hosting.failed':
    '{reason, select, missing {No se encontró PostgreSQL en esta computadora.} port {Otro programa usa este puerto.} address {Esta computadora ya no tiene esta dirección.} version {Los datos del centro de la tienda necesitan PostgreSQL {detail}.} damaged {Los datos del centro de la tienda están dañados.} lost {Faltan los datos del centro de la tienda.} busy {Otro PostgreSQL usa los datos del centro de la tienda.} full {El disco está lleno.} permission {No se pueden leer o escribir los datos del centro de la tienda.} other {PostgreSQL no arrancó.}}',
  'hosting.failed.next':
    '{reason, select, missing {Instale PostgreSQL 14 o más nuevo desde postgresql.org/download, o indique su carpeta.} port {Elija otro puerto o cierre el otro programa.} address {Conecte de nuevo esta computadora a la red o elija otra dirección.} version {Instale de nuevo esa versión de PostgreSQL.} damaged {Deje de mantener la tienda aquí y empiece de nuevo. Las estaciones conservan sus ventas y pedidos abiertos.} lost {Deje de mantener la tienda aquí y empiece de nuevo. Las estaciones conservan sus ventas y pedidos abiertos.} busy {Countertag lo intenta de nuevo por sí mismo. Si tarda mucho, reinicie esta computadora.} full {Libere espacio. Countertag lo intenta de nuevo por sí mismo.} permission {Revise que este usuario pueda escribir en la carpeta de datos de Countertag.} other {Reinicie esta computadora. Si vuelve a ocurrir, guarde un archivo para soporte.}}',
  'hosting.failed.detail': 'Lo que dijo PostgreSQL',
  'hosting.renew': 'Cambiar la dirección',
  'hosting.stop': 'Dejar de mantener la tienda',
  'hosting.loading': 'Buscando PostgreSQL',

  'hosting.form.renew': 'Cambiar la dirección',
  'hosting.form.renew.means':
    'El centro de la tienda recibe una dirección y un certificado nuevos. Cada una de las demás estaciones debe escanear un código de unión nuevo; hasta entonces trabaja sin el centro de la tienda.',
  'hosting.form.address': 'Dirección de esta computadora',
  'hosting.form.address.network': 'Red {network}',
  'hosting.form.address.fixed': 'Configure su router para que dé siempre la misma dirección a esta computadora.',
  'hosting.form.port.hint': 'Habitual: 5433',
  'hosting.form.port.wrong': 'Use un número de 1024 a 65535.',
  'hosting.form.programs.found': 'Se encontró PostgreSQL {version}',
  'hosting.form.programs.none': 'No se encontró PostgreSQL en esta computadora',
  'hosting.form.programs.where':
    'Instale PostgreSQL 14 o más nuevo desde postgresql.org/download y busque de nuevo. Si está instalado, indique su carpeta.',
  'hosting.form.programs.old': 'Se encontró, pero es demasiado antiguo: {versions}.',
  'hosting.form.folder': 'Carpeta de PostgreSQL',
  'hosting.form.folder.hint': 'La carpeta que contiene bin',
  'hosting.form.look': 'Buscar de nuevo',
  'hosting.form.start': 'Empezar',
  'hosting.form.starting': 'Preparando el centro de la tienda. Puede tardar un minuto.',

  'hosting.stop.title': '¿Dejar de mantener la tienda?',
  'hosting.stop.means':
    'Esta estación sale de la tienda y el centro de la tienda termina. Las ventas y los informes sin enviar se quedan en cada estación.',
  'hosting.stop.others':
    '{count, plural, =0 {Ninguna otra estación lo usa.} one {Otra estación lo usa y se quedará sin centro de la tienda: {names}.} other {Otras # estaciones lo usan y se quedarán sin centro de la tienda: {names}.}}',
  'hosting.stop.unknown': 'Puede que otras estaciones lo usen: se quedarán sin centro de la tienda.',
  'hosting.stop.stay': 'Mantenerla',

  'error.keep/kept.what': 'Esta computadora ya mantiene una tienda.',
  'error.keep/kept.next': 'Deje primero de mantener esa tienda.',
  'error.keep/not-kept.what': 'Esta computadora no mantiene la tienda.',
  'error.keep/not-kept.means': 'Puede que otra página la haya detenido.',
  'error.keep/not-kept.next': 'Abra Ajustes de nuevo.',
  'error.keep/joined.what': 'Esta estación está en una tienda.',
  'error.keep/joined.next': 'Salga primero de esa tienda.',
  'error.keep/other.what': 'Esta computadora mantiene la tienda de otra conexión.',
  'error.keep/other.next': 'Cambie primero a esa conexión.',
  'error.keep/address.what': 'Esta computadora no tiene esta dirección.',
  'error.keep/address.next': 'Elija una de las direcciones de la lista.',
} as const
