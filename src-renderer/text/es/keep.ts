const reasons =
  '{reason, select, missing {No se encontró PostgreSQL en esta computadora.} port {Otro programa usa este puerto.} address {Esta computadora ya no tiene esta dirección.} version {Los datos del centro de la tienda necesitan PostgreSQL {detail}.} damaged {Los datos del centro de la tienda están dañados.} lost {Faltan los datos del centro de la tienda.} busy {Otro PostgreSQL usa los datos del centro de la tienda.} full {El disco está lleno.} permission {No se pueden leer o escribir los datos del centro de la tienda.} other {PostgreSQL no arrancó.}}'
const steps =
  '{reason, select, missing {Instale PostgreSQL 14 o más nuevo desde postgresql.org/download, o indique su carpeta.} port {Elija otro puerto o cierre el otro programa.} address {Conecte de nuevo esta computadora a la red o elija otra dirección.} version {Instale de nuevo esa versión de PostgreSQL.} damaged {Deje de mantener la tienda aquí y empiece de nuevo. Las estaciones conservan sus ventas y pedidos abiertos.} lost {Deje de mantener la tienda aquí y empiece de nuevo. Las estaciones conservan sus ventas y pedidos abiertos.} busy {Countertag lo intenta de nuevo por sí mismo. Si tarda mucho, reinicie esta computadora.} full {Libere espacio. Countertag lo intenta de nuevo por sí mismo.} permission {Revise que este usuario pueda escribir en la carpeta de datos de Countertag.} other {Reinicie esta computadora. Si vuelve a ocurrir, guarde un archivo para soporte.}}'

/** Ajustes > Tienda: esta computadora mantiene el centro de la tienda. */
export const keep = {
  'keep.title': 'Esta computadora mantiene la tienda',
  'keep.what':
    'Para una tienda sin servidor propio: el centro de la tienda funciona en esta computadora, y las demás estaciones se unen por la red local.',
  'keep.off-means':
    'Si esta computadora está apagada o suspendida, o Countertag está cerrado aquí, las demás estaciones se quedan sin centro de la tienda: venden con los artículos marcados «Sin comprobar con las demás estaciones» o los rechazan, según se eligió allí. Déjela encendida mientras la tienda esté abierta.',
  'keep.begin': 'Mantener la tienda en esta computadora',
  'keep.other':
    'Esta computadora mantiene la tienda de otra conexión. Cambie a esa conexión para modificarla o detenerla.',
  'keep.state': 'Centro de la tienda',
  'keep.state.off': 'Apagado',
  'keep.state.starting': 'Arrancando',
  'keep.state.running': 'En marcha',
  'keep.state.failed': 'Parado',
  'keep.address': 'Dirección para las demás estaciones',
  'keep.firewall':
    'Si las demás estaciones no reciben respuesta, abra el puerto TCP {port} en el cortafuegos de esta computadora, solo para la red local.',
  'keep.next': 'Para agregar una estación, use «Mostrar código de unión», arriba.',
  'keep.failed': reasons,
  'keep.failed.next': steps,
  'keep.failed.detail': 'Lo que dijo PostgreSQL',
  'keep.retry': 'Intentar ahora',
  'keep.renew': 'Cambiar la dirección',
  'keep.stop': 'Dejar de mantener la tienda',
  'keep.loading': 'Buscando PostgreSQL',

  'keep.form.title': 'Mantener la tienda en esta computadora',
  'keep.form.renew': 'Cambiar la dirección',
  'keep.form.renew.means':
    'El centro de la tienda recibe una dirección y un certificado nuevos. Cada una de las demás estaciones debe escanear un código de unión nuevo; hasta entonces trabaja sin el centro de la tienda.',
  'keep.form.address': 'Dirección de esta computadora',
  'keep.form.address.network': 'Red {network}',
  'keep.form.address.local': 'Solo para estaciones en esta computadora',
  'keep.form.address.fixed': 'Configure su router para que dé siempre la misma dirección a esta computadora.',
  'keep.form.port': 'Puerto',
  'keep.form.port.hint': 'Habitual: 5433',
  'keep.form.port.wrong': 'Use un número de 1024 a 65535.',
  'keep.form.programs.found': 'Se encontró PostgreSQL {version}',
  'keep.form.programs.none': 'No se encontró PostgreSQL en esta computadora',
  'keep.form.programs.where':
    'Instale PostgreSQL 14 o más nuevo desde postgresql.org/download y busque de nuevo. Si está instalado, indique su carpeta.',
  'keep.form.programs.old': 'Se encontró, pero es demasiado antiguo: {versions}.',
  'keep.form.folder': 'Carpeta de PostgreSQL',
  'keep.form.folder.hint': 'La carpeta que contiene bin',
  'keep.form.look': 'Buscar de nuevo',
  'keep.form.start': 'Empezar',
  'keep.form.change': 'Cambiar',
  'keep.form.starting': 'Preparando el centro de la tienda. Puede tardar un minuto.',

  'keep.stop.title': '¿Dejar de mantener la tienda?',
  'keep.stop.means':
    'Esta estación sale de la tienda y el centro de la tienda termina. Las ventas y los informes sin enviar se quedan en cada estación.',
  'keep.stop.others':
    '{count, plural, =0 {Ninguna otra estación lo usa.} one {Otra estación lo usa y se quedará sin centro de la tienda: {names}.} other {Otras # estaciones lo usan y se quedarán sin centro de la tienda: {names}.}}',
  'keep.stop.unknown': 'Puede que otras estaciones lo usen: se quedarán sin centro de la tienda.',
  'keep.stop.stay': 'Mantenerla',

  'error.keep/kept.what': 'Esta computadora ya mantiene una tienda.',
  'error.keep/kept.means': 'No se cambió nada.',
  'error.keep/kept.next': 'Deje primero de mantener esa tienda.',
  'error.keep/not-kept.what': 'Esta computadora no mantiene la tienda.',
  'error.keep/not-kept.means': 'Puede que otra página la haya detenido.',
  'error.keep/not-kept.next': 'Abra Ajustes de nuevo.',
  'error.keep/joined.what': 'Esta estación está en una tienda.',
  'error.keep/joined.means': 'No se cambió nada.',
  'error.keep/joined.next': 'Salga primero de esa tienda.',
  'error.keep/other.what': 'Esta computadora mantiene la tienda de otra conexión.',
  'error.keep/other.means': 'No se cambió nada.',
  'error.keep/other.next': 'Cambie primero a esa conexión.',
  'error.keep/address.what': 'Esta computadora no tiene esta dirección.',
  'error.keep/address.means': 'No se cambió nada.',
  'error.keep/address.next': 'Elija una de las direcciones de la lista.',
  'error.keep/failed.what': reasons,
  'error.keep/failed.means': 'No se cambió nada.',
  'error.keep/failed.next': steps,
} as const
