import type { ErrorKey } from '../errors'

/** Qué pasó, qué significa para el cliente o el empleado, qué hacer ahora. */
export const errors = {
  'error.ipc/unknown-call.what': 'Countertag no pudo hacer eso.',
  'error.ipc/unknown-call.means': 'Sus partes son de versiones distintas. No se cambió nada.',
  'error.ipc/unknown-call.next': 'Cierre Countertag e inícielo otra vez.',

  'error.ipc/invalid-input.what': 'Algo de lo escrito no sirve.',
  'error.ipc/invalid-input.means': 'No se guardó nada. Lo que escribió sigue aquí.',
  'error.ipc/invalid-input.next': 'Revise los campos e inténtelo de nuevo.',

  'error.ipc/forbidden-sender.what': 'Countertag rechazó una solicitud de esta página.',
  'error.ipc/forbidden-sender.means': 'No se cambió nada.',
  'error.ipc/forbidden-sender.next': 'Cierre Countertag e inícielo otra vez.',

  'error.ipc/disconnected.what': 'El núcleo de Countertag no responde.',
  'error.ipc/disconnected.means': 'No sabemos si esto se hizo. Lo guardado antes está a salvo.',
  'error.ipc/disconnected.next': 'Espere a que vuelva, mire el pedido o la caja y reintente si hace falta.',

  'error.app/unexpected.what': 'Algo falló dentro de Countertag.',
  'error.app/unexpected.means': 'Este paso no se hizo. Todo lo guardado antes está a salvo.',
  'error.app/unexpected.next': 'Inténtelo de nuevo. Si se repite, dé esta nota a soporte: {reference}',

  'error.service/unreachable.what': 'Sin conexión con el servicio.',
  'error.service/unreachable.means':
    'Ahora no se puede consultar información nueva. Las ventas e importaciones se guardan y se envían después.',
  'error.service/unreachable.next': 'Siga trabajando. Si dura, revise la red.',

  'error.service/credentials-refused.what': 'El servicio rechaza nuestro acceso.',
  'error.service/credentials-refused.means': 'Los informes se guardan aquí, pero no sale ninguno hasta corregirlo.',
  'error.service/credentials-refused.next': 'Pida a un gerente que revise el ID de cliente y el secreto.',

  'error.service/credentials-missing.what': 'No hay acceso configurado para el servicio.',
  'error.service/credentials-missing.means': 'Los informes se guardan aquí, pero no se puede enviar ninguno.',
  'error.service/credentials-missing.next': 'Pida a un gerente que escriba el ID de cliente y el secreto.',

  'error.service/forbidden.what': 'Este dispensario no puede hacer eso.',
  'error.service/forbidden.means': 'El servicio nos conoce, pero nuestra cuenta no tiene ese permiso.',
  'error.service/forbidden.next': 'Pida a un gerente que revise la cuenta con el servicio.',

  'error.service/busy.what': 'El servicio está muy ocupado.',
  'error.service/busy.means': 'No se pierde nada. Los informes se reintentan solos.',
  'error.service/busy.next': 'Siga trabajando o reintente en un minuto.',

  'error.service/failing.what': 'El servicio tiene fallas propias.',
  'error.service/failing.means': 'No se pierde nada. Los informes se reintentan solos. (Estado {status})',
  'error.service/failing.next': 'Siga trabajando o reintente en un minuto.',

  'error.service/unreadable.what': 'El servicio envió una respuesta que no podemos leer.',
  'error.service/unreadable.means': 'Quizá respondió una página de acceso de la red en lugar del servicio.',
  'error.service/unreadable.next': 'Revise la red y reintente.',

  'error.service/foreign-host.what': 'Esta dirección no pertenece al servicio.',
  'error.service/foreign-host.means': 'No la abrimos, para proteger sus datos.',
  'error.service/foreign-host.next': 'Revise la etiqueta. Si parece correcta, avise a un gerente.',

  'error.service/not-found.what': 'El servicio no conoce {id}.',
  'error.service/not-found.means': 'Puede estar mal leído o aún sin registrar.',
  'error.service/not-found.next': 'Escanee otra vez. Si sigue desconocido, apártelo y pregunte a la marca.',

  'error.service/other-dispensary.what': 'No es para este dispensario.',
  'error.service/other-dispensary.means': 'El servicio dice: {detail}',
  'error.service/other-dispensary.next': 'Apártelo y revise los papeles de la entrega.',

  'error.service/already-imported.what': 'Esta caja ya está importada.',
  'error.service/already-imported.means': 'El servicio dice: {detail}',
  'error.service/already-imported.next':
    'Consulte de nuevo para ver quién la tiene. Si está aquí, descarte este informe en Envíos.',

  'error.service/package-unknown.what': 'El servicio no conoce este UID de paquete.',
  'error.service/package-unknown.means': 'El servicio dice: {detail}',
  'error.service/package-unknown.next': 'Compárelo con la etiqueta, corríjalo e importe de nuevo.',

  'error.service/invalid-fields.what': 'El servicio no acepta lo escrito.',
  'error.service/invalid-fields.means': 'Dice: {fields}',
  'error.service/invalid-fields.next': 'Corríjalo y reintente.',

  'error.service/malformed-tags.what':
    '{count, plural, one {# código de artículo está dañado.} other {# códigos de artículo están dañados.}}',
  'error.service/malformed-tags.means': 'Se rechazó todo el pedido por: {tagIds}.',
  'error.service/malformed-tags.next': 'Cambie el pedido en Envíos: saque estos artículos o escanéelos otra vez.',

  'error.service/unknown-tags.what':
    '{count, plural, one {El servicio no conoce # artículo.} other {El servicio no conoce # artículos.}}',
  'error.service/unknown-tags.means': 'Se rechazó todo el pedido por: {tagIds}.',
  'error.service/unknown-tags.next': 'Cambie el pedido en Envíos: saque estos artículos y apártelos para un gerente.',

  'error.service/not-imported.what':
    '{count, plural, one {# artículo no está en nuestro inventario.} other {# artículos no están en nuestro inventario.}}',
  'error.service/not-imported.means':
    '{count, plural, one {Su caja no se importó} other {Sus cajas no se importaron}} aquí, por eso se rechazó todo el pedido: {tagIds}.',
  'error.service/not-imported.next':
    'Importe la caja en Recepción y reintente. O cambie el pedido y venda sin estos artículos.',

  'error.service/already-processed.what': 'El servicio ya tiene esto.',
  'error.service/already-processed.means': 'Quizá lo informó otra caja registradora. El servicio dice: {detail}',
  'error.service/already-processed.next': 'Revise el pedido en el POS. Si allí está bien, descarte este informe.',

  'error.service/items-missing.what': 'El informe no tenía artículos.',
  'error.service/items-missing.means': 'El servicio no registró nada.',
  'error.service/items-missing.next': 'Escanee los artículos e informe el pedido otra vez.',

  'error.service/refused.what': 'El servicio lo rechazó.',
  'error.service/refused.means': 'Dice: {detail} (Estado {status})',
  'error.service/refused.next': 'Corríjalo si puede o pregunte a un gerente.',

  'error.scan/not-a-code.what': 'No conocemos este código: {text}',
  'error.scan/not-a-code.means': 'No es artículo, caja ni paquete.',
  'error.scan/not-a-code.next': 'Escanee el código QR, o escriba el código si la etiqueta está dañada.',

  'error.scan/wrong-place.what':
    '{found, select, tag {Este es un solo artículo (TagID)} case {Esta es una caja (CaseID)} package {Este es un paquete} other {Este es otro tipo de código}}',
  'error.scan/wrong-place.means':
    '{found, select, tag {Va en Ventas. Recepción toma paquetes y cajas.} other {Va en Recepción. Ventas toma artículos sueltos.}}',
  'error.scan/wrong-place.next':
    '{expected, select, tag {Escanee el código de un artículo.} case {Escanee el código de la caja.} other {Escanee la etiqueta del paquete.}}',

  'error.checkout/duplicate.what': 'Ya está en este pedido',
  'error.checkout/duplicate.means': 'Este mismo artículo ya se escaneó. Cuenta una vez.',
  'error.checkout/duplicate.next': 'Escanee el siguiente artículo.',

  'error.checkout/already-sold.what': 'Ya vendido en el pedido {orderId}',
  'error.checkout/already-sold.means':
    '{isDated, select, yes {Vendido el {soldAt, date, medium} a las {soldAt, time, short}; no se agregó.} other {No se agregó.}}',
  'error.checkout/already-sold.next': 'Primero devuelva o anule ese pedido, o tome otro artículo.',

  'error.checkout/already-returned.what': 'Ya devuelto del pedido {orderId}',
  'error.checkout/already-returned.means': 'Este artículo ya volvió antes. No se agregó.',
  'error.checkout/already-returned.next': 'Escanee otro artículo.',

  'error.checkout/in-other-order.what': 'Vendido en otro pedido: {orderId}',
  'error.checkout/in-other-order.means': 'Solo puede ir con su propio pedido. No se agregó.',
  'error.checkout/in-other-order.next': 'Use el número de ese pedido o escanee otro artículo.',

  'error.checkout/in-refused-order.what': 'En el pedido {orderId}, que fue rechazado',
  'error.checkout/in-refused-order.means':
    'El servicio no aceptó ese pedido, así que este artículo aún no está vendido. No se agregó.',
  'error.checkout/in-refused-order.next': 'Abra Envíos: cambie ese pedido allí o descártelo.',

  'error.checkout/cart-changed.what': 'El pedido cambió mientras lo terminaba.',
  'error.checkout/cart-changed.means': 'No se reportó nada. Lo que ve ahora es lo que contiene.',
  'error.checkout/cart-changed.next': 'Revise los artículos otra vez y termine.',

  'error.checkout/cart-not-empty.what': 'Hay otro pedido en la pantalla de venta.',
  'error.checkout/cart-not-empty.means': 'El pedido rechazado necesita ese lugar. No se cambió nada.',
  'error.checkout/cart-not-empty.next': 'Termine o vacíe primero ese pedido.',

  'error.checkout/order-needs-attention.what': 'Un reporte del pedido {orderId} fue rechazado.',
  'error.checkout/order-needs-attention.means':
    'Cualquier otra cosa de este pedido esperaría detrás de él. No se guardó nada.',
  'error.checkout/order-needs-attention.next': 'Abra Envíos y resuélvalo: inténtelo de nuevo, cámbielo o descártelo.',

  'error.checkout/empty-cart.what': 'Aún no hay artículos.',
  'error.checkout/empty-cart.means': 'No hay nada que informar.',
  'error.checkout/empty-cart.next': 'Primero escanee los artículos.',

  'error.checkout/order-id-missing.what': 'Falta el número de pedido.',
  'error.checkout/order-id-missing.means': 'El informe lo necesita para coincidir con la venta en el POS.',
  'error.checkout/order-id-missing.next': 'Escríbalo como aparece en el recibo.',

  'error.checkout/order-id-used.what': 'El pedido {orderId} ya se informó.',
  'error.checkout/order-id-used.means': 'Un número de pedido se usa una sola vez.',
  'error.checkout/order-id-used.next': 'Revise el número en el recibo.',

  'error.checkout/order-voided.what': 'El pedido {orderId} se anuló.',
  'error.checkout/order-voided.means': 'Ya no se puede hacer nada con él.',
  'error.checkout/order-voided.next': 'Revise el número o use un pedido nuevo.',

  'error.checkout/order-unknown.what': 'El pedido {orderId} nunca se reportó.',
  'error.checkout/order-unknown.means':
    'Su venta se retiró antes de que el servicio la tuviera: no hay nada que anular.',
  'error.checkout/order-unknown.next': 'Revise el número en el recibo.',

  'error.receiving/already-importing.what': 'Esta caja ya se está importando.',
  'error.receiving/already-importing.means': 'Una importación anterior no ha terminado. No se agregó nada.',
  'error.receiving/already-importing.next': 'Espérela o vea Envíos.',

  'error.outbox/not-found.what': 'Este informe ya no está.',
  'error.outbox/not-found.means': 'Se resolvió entretanto.',
  'error.outbox/not-found.next': 'Mire la lista otra vez.',

  'error.outbox/wrong-state.what': 'Esto ya no se puede hacer.',
  'error.outbox/wrong-state.means': 'El informe avanzó entretanto.',
  'error.outbox/wrong-state.next': 'Mire la lista otra vez.',

  'error.outbox/unreadable.what': 'Esta versión no puede leer este informe guardado.',
  'error.outbox/unreadable.means': 'Queda a salvo, pero no se envía.',
  'error.outbox/unreadable.next': 'Actualice Countertag o consulte a soporte antes de descartarlo.',

  'error.store/not-saved.what': 'Esta computadora no pudo guardarlo.',
  'error.store/not-saved.means': 'No se guardó ni se envió nada. El disco puede estar lleno.',
  'error.store/not-saved.next': 'Llame a un gerente antes de seguir.',

  'error.store/in-use.what': 'Countertag ya está abierto.',
  'error.store/in-use.means': 'Solo un Countertag puede trabajar con los mismos datos.',
  'error.store/in-use.next': 'Use la otra ventana o ciérrela primero.',

  'error.practice/not-active.what': 'Esto solo funciona en práctica.',
  'error.practice/not-active.means': 'Countertag está conectado a un servicio real. No se cambió nada.',
  'error.practice/not-active.next': 'Cambie al perfil de práctica para entrenar.',
} satisfies Record<ErrorKey, string>
