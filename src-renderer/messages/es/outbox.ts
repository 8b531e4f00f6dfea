export const outbox = {
  'outbox.sentence.unknown':
    '{count, plural, =0 {Nada espera envío.} one {Espera # informe. Aún no se consultó al servicio.} other {Esperan # informes. Aún no se consultó al servicio.}}',
  'outbox.sentence.online':
    '{count, plural, =0 {Nada espera envío. El servicio responde.} one {El servicio responde. # informe espera envío.} other {El servicio responde. # informes esperan envío.}}',
  'outbox.sentence.unreachable':
    'Sin conexión con el servicio. {count, plural, =0 {Nada espera; puede seguir trabajando.} one {# informe está a salvo aquí y sale cuando vuelva.} other {# informes están a salvo aquí y salen cuando vuelva.}}',
  'outbox.sentence.failing':
    'El servicio tiene fallas propias. {count, plural, =0 {Nada espera; puede seguir trabajando.} one {# informe está a salvo aquí y se reintenta.} other {# informes están a salvo aquí y se reintentan.}}',
  'outbox.sentence.credentials-refused':
    'El servicio rechaza nuestro acceso. {count, plural, =0 {Nada espera.} one {# informe está a salvo aquí hasta que un gerente lo corrija.} other {# informes están a salvo aquí hasta que un gerente lo corrija.}}',
  'outbox.send-now': 'Enviar ahora',
  'outbox.empty': 'Nada por enviar',
  'outbox.empty.how': 'Cada importación, venta, devolución y anulación queda aquí hasta que el servicio la tiene.',
  'outbox.attention': '{count, plural, one {# requiere atención} other {# requieren atención}}',
  'outbox.waiting': '{count, plural, one {# en espera} other {# en espera}}',
  'outbox.recent': 'Hecho hace poco',
  'outbox.why.waits-for':
    'Detrás de {count, plural, one {# informe anterior} other {# informes anteriores}} de los que depende.',
  'outbox.why.next-attempt': 'Próximo intento a las {at, time, medium}.',
  'outbox.why.unknown': 'Se envió, pero no llegó respuesta. Verificamos antes de enviarlo otra vez.',
  'outbox.retry-of': 'Reintentar: {title}',
  'outbox.undo-of': 'Deshacer: {title}',
  'outbox.dismiss': 'Descartar',
  'outbox.dismiss-of': 'Descartar: {title}',
  'outbox.dismiss.title': '¿Descartar este informe?',
  'outbox.dismiss.means': 'El servicio no lo recibirá. El motivo se guarda con él.',
  'outbox.dismiss.reason': 'Motivo',
  'outbox.dismiss.reason.missing': 'Diga por qué, para que otros lo entiendan después.',
  'outbox.dismiss.keep': 'Conservarlo',
  'outbox.dismiss.confirm': 'Descartarlo',

  'operation.import': 'Importación: {name}',
  'operation.import-removal': 'Importación retirada: {name}',
  'operation.complete': 'Venta: pedido {orderId}',
  'operation.void': 'Anulación: pedido {orderId}',
  'operation.return': 'Devolución: pedido {orderId}',
  'operation.package': 'Paquete {packageUid}',
  'operation.state.queued': 'En espera',
  'operation.state.sending': 'Enviando',
  'operation.state.unknown': 'Sin respuesta aún',
  'operation.state.accepted': 'Informado',
  'operation.state.rejected': 'Rechazado',
  'operation.state.cancelled': 'Retirado',
  'operation.state.dismissed': 'Descartado: {reason}',
  'operation.note.already-processed': 'Informado, confirmado al segundo intento',
  'operation.note.replaced': 'Reemplazado por uno corregido',
  'operation.note.found-by-reading': 'Informado, confirmado al verificar',
}
