import type { ErrorKey } from '../errors'

/** Fallas del llavero, de los perfiles y del bloqueo. */
export const errorsStation = {
  'error.keychain/missing.what': 'Este equipo no tiene un llavero que Countertag pueda usar.',
  'error.keychain/missing.means':
    'El client id y el secreto quedan en memoria y se pierden al cerrar Countertag. Ninguna venta se pierde.',
  'error.keychain/missing.next':
    'En Linux, instale gnome-keyring e inicie sesión en el escritorio; luego escríbalos de nuevo.',

  'error.keychain/locked.what': 'El llavero de este equipo está bloqueado.',
  'error.keychain/locked.means': 'No se puede enviar nada hasta que se abra. Las ventas se guardan y esperan.',
  'error.keychain/locked.next': 'Desbloquee el llavero: inicie sesión de nuevo en este equipo y pruebe la conexión.',

  'error.keychain/denied.what': 'El llavero no dejó entrar a Countertag.',
  'error.keychain/denied.means':
    'Alguien rechazó la pregunta del llavero o una regla lo prohíbe. Las ventas se guardan y esperan.',
  'error.keychain/denied.next': 'Pruebe la conexión y permita Countertag cuando el llavero pregunte.',

  'error.keychain/failing.what': 'El llavero de este equipo no dio una respuesta útil.',
  'error.keychain/failing.means':
    'Lo que guarda para Countertag no se puede leer ahora. Las ventas se guardan y esperan.',
  'error.keychain/failing.next':
    'Pruebe la conexión otra vez. Si sigue igual, escriba de nuevo el client id y el secreto.',

  'error.keychain/vanished.what': 'Lo que Countertag guardaba en el llavero ya no está.',
  'error.keychain/vanished.means':
    'Alguien quitó la entrada o es otro usuario del equipo. Las ventas se guardan y esperan.',
  'error.keychain/vanished.next': 'Escriba de nuevo el client id y el secreto en Ajustes > Conexiones.',

  'error.keychain/mismatch.what': 'El client id y el secreto guardados no son los de esta conexión.',
  'error.keychain/mismatch.means':
    'Se escribieron para otra dirección o después se escribieron otros. No se envían a ninguna parte. Las ventas se guardan y esperan.',
  'error.keychain/mismatch.next':
    'Revise las direcciones en Ajustes > Conexiones y escriba de nuevo el client id y el secreto.',

  'error.outbox/customer-lost.what': 'El cliente de este informe ya no se puede leer.',
  'error.outbox/customer-lost.means':
    'Su clave no está en el llavero de este equipo. El informe no se envió, para que no salga sin su cliente sin que nadie lo note.',
  'error.outbox/customer-lost.next':
    'Envíelo de nuevo para informarlo sin el cliente, o descártelo. Si los datos vienen de otro equipo, la clave está en el llavero de allí.',

  'error.service/not-trusted.what':
    '{reason, select, issuer {El certificado del servicio es de un emisor que este equipo no conoce.} name {El certificado es de otra dirección que la del servicio.} date {El certificado del servicio no es válido hoy.} other {El certificado del servicio no es válido.}}',
  'error.service/not-trusted.means':
    'No se envió nada, para que nadie pueda escuchar. Las ventas se guardan y esperan.',
  'error.service/not-trusted.next':
    '{reason, select, issuer {Si su empresa revisa su tráfico, pida el archivo con su certificado e indíquelo en la conexión.} name {Revise la dirección de la conexión.} date {Revise fecha y hora de este equipo; si están bien, avise al servicio.} other {Avise a quien cuida su red.}}',

  'error.profile/other-kind.what': 'Una conexión de prueba sigue siéndolo, y una de producción también.',
  'error.profile/other-kind.means': 'No se cambió nada: los informes que esperan aquí son para ese servicio.',
  'error.profile/other-kind.next': 'Añada una conexión nueva.',

  'error.profile/unknown.what': 'Esa conexión ya no existe.',
  'error.profile/unknown.means': 'No se cambió nada.',
  'error.profile/unknown.next': 'Vuelva a mirar la lista de conexiones.',

  'error.profile/active.what': 'Esta conexión está en uso.',
  'error.profile/active.means': 'No se cambió nada.',
  'error.profile/active.next': 'Cambie a otra conexión antes de quitar esta.',

  'error.profile/unsent.what':
    '{count, plural, one {Un informe de esta conexión no está terminado.} other {# informes de esta conexión no están terminados.}}',
  'error.profile/unsent.means':
    'Son para el servicio y el dispensario que nombra ahora: no deben ir a otros ni quedarse olvidados. No se cambió nada.',
  'error.profile/unsent.next':
    'Use esta conexión, deje que se envíen y atienda en Envíos los que fueron rechazados. Para otra dirección u otro dispensario, añada una conexión nueva.',

  'error.profile/other-account.what':
    '{count, plural, one {Este es otro client id, y espera un informe hecho con el anterior.} other {Este es otro client id, y esperan # informes hechos con el anterior.}}',
  'error.profile/other-account.means': 'Si es de otra tienda, saldrían como ventas de esa tienda. No se envió nada.',
  'error.profile/other-account.next':
    'De otra tienda: añada una conexión nueva para ella. De esta tienda, porque el servicio le dio uno nuevo: guárdelo como tal.',

  'error.profile/unreadable-data.what': 'Los datos de esta conexión no se pueden leer ahora.',
  'error.profile/unreadable-data.means':
    'Puede haber informes que esperan y que no deben ir a otra dirección. No se cambió nada.',
  'error.profile/unreadable-data.next': 'Añada una conexión nueva para la otra dirección.',

  'error.profile/not-opened.what': 'Los datos de esa conexión no se pueden abrir.',
  'error.profile/not-opened.means': 'Sigue en uso la conexión anterior. No se cambió nada.',
  'error.profile/not-opened.next':
    'Reinicie Countertag e inténtelo otra vez. Si sigue igual, guarde en Ajustes un archivo para soporte.',

  'error.profile/no-ca-file.what': 'No se puede leer el archivo de certificado: {path}',
  'error.profile/no-ca-file.means': 'No se cambió nada.',
  'error.profile/no-ca-file.next': 'Revise la ruta y que este usuario pueda leer el archivo.',

  'error.security/locked.what': 'Para esto hace falta el PIN de gerencia.',
  'error.security/locked.means': 'No se cambió nada. Escanear y vender sigue como siempre.',
  'error.security/locked.next': 'Desbloquee con el PIN y pruebe otra vez.',

  'error.security/wrong-pin.what': 'Ese no es el PIN.',
  'error.security/wrong-pin.means': 'No se desbloqueó nada.',
  'error.security/wrong-pin.next':
    '{seconds, plural, =0 {Pruebe otra vez.} one {Pruebe otra vez en un segundo.} other {Pruebe otra vez en # segundos.}}',

  'error.security/pin-required.what': 'Para esto hace falta el PIN de gerencia, y todavía no hay ninguno.',
  'error.security/pin-required.means': 'El departamento de informática lo exige. No se cambió nada.',
  'error.security/pin-required.next': 'Póngalo en Ajustes > PIN de gerencia.',

  'error.policy/fixed.what': 'Esto lo decide el departamento de informática.',
  'error.policy/fixed.means': 'No se cambió nada.',
  'error.policy/fixed.next': 'Pídales que lo cambien.',

  'error.security/no-pin.what': 'En esta estación no hay PIN.',
  'error.security/no-pin.means': 'No hay nada bloqueado.',
  'error.security/no-pin.next': 'Ponga uno en Ajustes si quiere proteger ajustes y exportaciones.',

  'error.ipc/too-many.what': 'Demasiadas peticiones a la vez.',
  'error.ipc/too-many.means': 'Esta no se hizo y no se cambió nada.',
  'error.ipc/too-many.next': 'Espere un momento y pruebe otra vez.',

  'error.ipc/too-large.what': 'Es demasiado de una vez.',
  'error.ipc/too-large.means': 'No se hizo y no se cambió nada.',
  'error.ipc/too-large.next': 'Pruebe con menos, en varias partes.',
} satisfies Partial<Record<ErrorKey, string>>
