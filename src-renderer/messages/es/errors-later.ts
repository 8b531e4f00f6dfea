import type { ErrorKey } from '../errors'

/** Fallas que nadie encuentra antes de la primera lectura: lo que esta estación rechaza y los informes rechazados. */
export const errorsLater = {
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
  'error.service/malformed-tags.means': 'Se rechazó todo el informe por: {tagIds}.',
  'error.service/malformed-tags.next': 'Cambie el pedido en Envíos: saque estos artículos o escanéelos otra vez.',

  'error.service/unknown-tags.what':
    '{count, plural, one {El servicio no conoce # artículo.} other {El servicio no conoce # artículos.}}',
  'error.service/unknown-tags.means': 'Se rechazó todo el informe por: {tagIds}.',
  'error.service/unknown-tags.next':
    'Aparte estos artículos para un gerente e informe los demás: un pedido se cambia en Envíos; los de una caja se escanean otra vez en Buscar.',

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

  'error.checkout/order-needs-attention.what': 'Un informe del pedido {orderId} fue rechazado.',
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

  'error.checkout/in-open-order.what':
    '{isNumbered, select, yes {En el pedido {orderId}, que sigue abierto} other {En otro pedido que sigue abierto}}',
  'error.checkout/in-open-order.means':
    'Está en espera o en otra pestaña. Un artículo solo puede estar en un pedido. No se agregó.',
  'error.checkout/in-open-order.next': 'Siga con ese pedido, o saque el artículo de él.',

  'error.checkout/sold-elsewhere.what': 'Ya vendido, y no en esta caja registradora',
  'error.checkout/sold-elsewhere.means':
    '{isDated, select, yes {Para el servicio se vendió el {soldOn, date, medium} a la hora {soldOn, time, short} } other {Para el servicio está vendido. }}No se agregó.',
  'error.checkout/sold-elsewhere.next': 'Apártelo y pregunte en la otra caja registradora, o llame a un gerente.',

  'error.checkout/unchecked.what': 'Este artículo no se puede verificar ahora',
  'error.checkout/unchecked.means': 'Nadie responde, y aquí no se venden artículos sin verificar.',
  'error.checkout/unchecked.next': 'Reintente cuando vuelva la conexión, o venda otro artículo.',

  'error.checkout/budtender-missing.what': '¿Quién atiende?',
  'error.checkout/budtender-missing.means': 'Aquí no se vende sin indicar quién atiende. No se informó nada.',
  'error.checkout/budtender-missing.next': 'Escanee una credencial o elija un nombre.',

  'error.checkout/not-held.what': 'Este pedido ya no está en espera.',
  'error.checkout/not-held.means': 'Entretanto se retomó o se descartó.',
  'error.checkout/not-held.next': 'Mire la lista otra vez.',

  'error.checkout/nothing-to-hold.what': 'No hay nada que poner en espera.',
  'error.checkout/nothing-to-hold.means': 'El pedido está vacío.',
  'error.checkout/nothing-to-hold.next': 'Escanee el siguiente artículo.',

  'error.checkout/not-as-expected.what': '{scanned} de {expected} artículos',
  'error.checkout/not-as-expected.means': 'Una línea no tiene lo que debería. No se informó nada.',
  'error.checkout/not-as-expected.next': 'Siga escaneando, o corrija cuántos debe haber.',

  'error.checkout/never-sold-here.what': 'Aquí nunca se vendió este artículo',
  'error.checkout/never-sold-here.means': 'Por eso no se conoce su pedido. Puede venir de otra caja registradora.',
  'error.checkout/never-sold-here.next': 'Escriba el número de pedido como aparece en el recibo.',

  'error.receiving/already-importing.what': 'Esta caja ya se está importando.',
  'error.receiving/already-importing.means': 'Una importación anterior no ha terminado. No se agregó nada.',
  'error.receiving/already-importing.next': 'Espérela o vea Envíos.',

  'error.receiving/choose-product.what': 'Esta caja contiene varios productos.',
  'error.receiving/choose-product.means':
    'Se importó sin consultarla, y a usted le toca decir qué producto era. No se importó nada.',
  'error.receiving/choose-product.next': 'Abra la caja en Recepción y elija el producto.',

  'error.receiving/empty-case.what': 'Esta caja no contiene productos.',
  'error.receiving/empty-case.means': 'Según el servicio, no hay en ella nada que importar.',
  'error.receiving/empty-case.next': 'Apártela y pregunte a la marca. Luego reintente o descarte este informe.',

  'error.receiving/no-delivery.what': 'No se está recibiendo ninguna entrega.',
  'error.receiving/no-delivery.means': 'Se terminó entretanto. Lo importado sigue importado.',
  'error.receiving/no-delivery.next': 'Escanee un paquete o una caja para empezar otra.',

  'error.receiving/not-in-delivery.what': 'Esto no es parte de la entrega.',
  'error.receiving/not-in-delivery.means': 'Se quitó de la lista entretanto. No se cambió nada.',
  'error.receiving/not-in-delivery.next': 'Escanéelo otra vez para devolverlo a la lista.',

  'error.receiving/no-count.what': 'Este conteo ya no está abierto.',
  'error.receiving/no-count.means': 'Se terminó entretanto. Lo contado se conserva.',
  'error.receiving/no-count.next': 'Empiece otro conteo si queda algo por escanear.',

  'error.receiving/count-open.what': 'Hay otro conteo sin terminar.',
  'error.receiving/count-open.means': 'No se sabría a cuál de los dos pertenece un escaneo. No se empezó nada.',
  'error.receiving/count-open.next': 'Termine primero ese conteo.',

  'error.receiving/nothing-to-count.what': 'No sabemos qué contiene.',
  'error.receiving/nothing-to-count.means': 'Sin su lista de artículos no hay con qué comparar.',
  'error.receiving/nothing-to-count.next': 'Escanee la caja mientras el servicio responde y empiece el conteo.',

  'error.receiving/not-a-difference.what': 'No hay nada que resolver con este artículo.',
  'error.receiving/not-a-difference.means': 'Se resolvió de otra forma, o está donde debe. No se cambió nada.',
  'error.receiving/not-a-difference.next': 'Mire la lista otra vez.',

  'error.receiving/no-case-changes.what': 'No podemos cambiar esta caja o colección.',
  'error.receiving/no-case-changes.means':
    'Solo puede la empresa que la hizo, con una cuenta que tenga acceso. No se cambió nada.',
  'error.receiving/no-case-changes.next':
    'Diga a la marca qué no corresponde. En un conteo, ignore la diferencia. O pida a un gerente que revise la cuenta.',

  'error.receiving/catalogue-broken.what': 'El catálogo no se cargó.',
  'error.receiving/catalogue-broken.means':
    'Una parte del archivo se perdió en el camino. Sigue en vigor el catálogo anterior.',
  'error.receiving/catalogue-broken.next': 'Elija el archivo otra vez.',

  'error.service/origin-collection.what': 'Es una colección de origen.',
  'error.service/origin-collection.means':
    'Dice de dónde vienen los artículos. Nadie puede retirarla ni restaurarla, y no se cambió nada.',
  'error.service/origin-collection.next':
    'Si un artículo no corresponde, pregunte a la marca. Un informe que esté en Envíos se puede descartar.',

  'error.service/other-company.what': 'Esta colección es de otra empresa.',
  'error.service/other-company.means':
    'Solo la empresa dueña puede retirarla o restaurarla, con una cuenta autorizada. No se cambió nada.',
  'error.service/other-company.next':
    'Pregunte a su empresa o pida a un gerente que revise la cuenta. Un informe que esté en Envíos se puede descartar.',

  'error.collection/no-account.what': 'Desde aquí no se pueden cambiar colecciones.',
  'error.collection/no-account.means':
    'Esta conexión no tiene cuenta del producto de abastecimiento, y solo esa puede. Ventas e importaciones siguen.',
  'error.collection/no-account.next':
    'Pida a un gerente que agregue la cuenta de abastecimiento en Ajustes, en Conexiones.',

  'error.collection/is-removed.what': 'La colección {identifier} está retirada.',
  'error.collection/is-removed.means': 'Lo retirado no se puede cambiar ni retirar otra vez. No se informó nada.',
  'error.collection/is-removed.next': 'Para cambiar lo que contiene, restáurela primero.',

  'error.collection/not-removed.what': 'La colección {identifier} no está retirada.',
  'error.collection/not-removed.means': 'No hay nada que restaurar. No se informó nada.',
  'error.collection/not-removed.next': 'Mírela otra vez: alguien pudo haberla restaurado.',

  'error.collection/not-in-it.what': 'El artículo {tagId} no está en esta colección.',
  'error.collection/not-in-it.means': 'No se puede sacar, ni devolver a donde nunca estuvo. No se informó nada.',
  'error.collection/not-in-it.next': 'Escanee el artículo otra vez y vea dónde está.',

  'error.collection/is-in-it.what': 'El artículo {tagId} ya está en esta colección.',
  'error.collection/is-in-it.means': 'No hay nada que agregar. No se informó nada.',
  'error.collection/is-in-it.next': 'Mire la colección otra vez.',

  'error.collection/choose-product.what': 'Esta caja contiene varios productos.',
  'error.collection/choose-product.means': 'A usted le toca decir cuál va a {identifier}. No se cambió nada.',
  'error.collection/choose-product.next': 'Elija el producto y reintente.',

  'error.collection/product-not-in-case.what': 'Esta caja no contiene ese producto.',
  'error.collection/product-not-in-case.means': 'Por eso no puede ir a {identifier}. No se cambió nada.',
  'error.collection/product-not-in-case.next': 'Mire la caja otra vez y elija un producto que contenga.',

  'error.outbox/not-found.what': 'Este informe ya no está.',
  'error.outbox/not-found.means': 'Se resolvió entretanto.',
  'error.outbox/not-found.next': 'Mire la lista otra vez.',

  'error.outbox/wrong-state.what': 'Esto ya no se puede hacer.',
  'error.outbox/wrong-state.means': 'El informe avanzó entretanto.',
  'error.outbox/wrong-state.next': 'Mire la lista otra vez.',

  'error.outbox/unsettled.what': 'Se envió, pero nada muestra si el servicio lo tiene.',
  'error.outbox/unsettled.means': 'Ni las respuestas ni lo que muestra el servicio lo aclaran.',
  'error.outbox/unsettled.next': 'Decídalo en la bandeja de salida.',
  'error.outbox/unreadable.what': 'Esta versión no puede leer este informe guardado.',
  'error.outbox/unreadable.means': 'Queda a salvo, pero no se envía.',
  'error.outbox/unreadable.next': 'Actualice Countertag o consulte a soporte antes de descartarlo.',

  'error.practice/not-active.what': 'Esto solo funciona en práctica.',
  'error.practice/not-active.means': 'Countertag está conectado a un servicio real. No se cambió nada.',
  'error.practice/not-active.next': 'Cambie al perfil de práctica para entrenar.',
} satisfies Partial<Record<ErrorKey, string>>
