/** Una tienda con varias estaciones. */
export const store = {
  'hub.online': 'Tienda conectada',
  'hub.online.means': 'Esta es {station}. Los artículos se comprueban con las demás estaciones.',
  'hub.offline': 'El centro no responde',
  'hub.offline.read-only': 'Centro: solo lectura',
  'hub.offline.full': 'Centro: disco lleno',
  'hub.offline.in-use': 'Identidad en uso',
  'hub.offline.warn':
    'Los artículos no se comprueban con las demás estaciones. Se pueden vender y quedan marcados hasta que se comprueben.',
  'hub.offline.refuse':
    'Los artículos no se pueden comprobar con las demás estaciones, así que no se aceptan artículos nuevos.',
  'hub.notice': 'Artículo en dos estaciones',
  'hub.notice.collided':
    '{item} también está en {order, select, numbered {el pedido {orderId}} other {un pedido}} en {station}',
  'hub.notice.collided.means':
    '{own, select, sold {{report, select, refused {El servicio rechazó el pedido {ownOrderId} de aquí: no hay nada que anular. Compruebe qué cliente tiene el artículo y abra Envíos.} reported {El servicio tiene el pedido {ownOrderId} de aquí, y acepta un artículo en un solo pedido. El otro pedido se corrige en {station}.} open {El pedido {ownOrderId} de aquí también lo tiene. El servicio acepta uno de los dos. El otro requerirá atención en Envíos de su estación.} other {Estaba en el pedido {ownOrderId} de aquí.}}} open {El pedido {ownOrderId} de aquí también lo tiene. Quítelo de él o tome el artículo.} other {Compare con esa estación.}}',
  'hub.notice.taken-over': '{station} tomó {item}',
  'hub.notice.taken-over.means':
    '{left, select, yes {Salió {own, select, none {de un pedido} other {del pedido {ownOrderId}}} de aquí y ahora está en {order, select, numbered {el pedido {orderId}} other {un pedido}} de allí.} other {{own, select, sold {El pedido {ownOrderId} de aquí se completó antes con este artículo. Solo uno de los dos pedidos puede tenerlo: pregunte en {station}.} open {Estaba en el pedido {ownOrderId} de aquí. Quítelo de ese pedido.} other {Estaba en un pedido de aquí.}}}}{why, select, yes { Motivo: {because}.} other {}}',
  'hub.notice.settling': '{station} resuelve ahora las diferencias de un conteo',
  'hub.notice.settling.means':
    'Contiene {item}. Esta estación había empezado a resolverlas. Siga allí.{why, select, yes { Motivo: {because}.} other {}}',
  'hub.notice.order': 'Ver pedido',
  'held.at': 'En {station}',
  'hub.removed-station': 'una estación quitada',
  'claim.unchecked': 'Sin comprobar con las demás estaciones',
  'claim.held':
    '{isSold, select, yes {{order, select, numbered {Vendido en el pedido {orderId} en {station}} other {Vendido en {station}}}} other {{order, select, numbered {En el pedido {orderId} en {station}, desde {at}} other {En un pedido en {station}, desde {at}}}}}',
  'claim.take-over': 'Tomar el artículo',
  'sold-twice.refused.what':
    '{name}: también está en {order, select, numbered {el pedido {orderId}} other {un pedido}} de {station}',
  'sold-twice.refused.means':
    'El servicio acepta un artículo en un solo pedido y rechazó este. No hay nada que anular.',
  'sold-twice.refused.next':
    '{count, plural, =1 {Compruebe qué cliente tiene el artículo. Si es el otro, corrija el pedido en el POS y descarte este informe.} other {Compruebe qué cliente tiene el artículo. Si es el otro, elija Cambiar, quite el artículo y complete el pedido de nuevo.}}',
  'sold-twice.group.what': 'Hay artículos de estos pedidos también en pedidos de otras estaciones',
  'sold-twice.group.means': 'El servicio acepta un artículo en un solo pedido y rechazó estos. No hay nada que anular.',
  'sold-twice.find': 'También en {order, select, numbered {el pedido {orderId}} other {un pedido}} de {station}',
  'sold-twice.find.own': 'Aquí: pedido {ownOrderId}',
  'claim.scan.held': '{name}: {isSold, select, yes {vendido en otra estación} other {en un pedido de otra estación}}',
  'claim.take-over.title': '¿Tomar {name}?',
  'claim.take-over.means':
    'Sale de su pedido en {station}, que recibe un aviso con el motivo. {needsPin, select, yes {Un gerente introduce el PIN y un motivo.} other {Escriba un motivo.}}',
  'claim.take-over.hint': 'También se muestra en {station}.',
  'nav.store': 'Tienda',
  'store.read': 'Actualizado {at}',
  'store.loading': 'Leyendo las estaciones de la tienda',
  'store.this': 'Esta estación',
  'store.well': 'Todo en orden',
  'store.seen-now': 'Con noticias ahora',
  'store.state.gone': 'Sin noticias {since}',
  'store.next.gone': 'Enciéndala o revise su red. Si ya no está en la tienda, quítela.',
  'store.state.unreadable': 'No se puede leer su informe',
  'store.next.unreadable': 'Actualice Countertag en ambas estaciones.',
  'store.state.attention': '{count, plural, one {# informe requiere atención} other {# informes requieren atención}}',
  'store.next.attention':
    '{isThis, select, yes {Abra Envíos y resuélvalo.} other {Abra Envíos en esa estación y resuélvalo.}}',
  'store.state.unsent': '{count, plural, one {# informe sin enviar} other {# informes sin enviar}}',
  'store.next.unsent': 'Se envían solos. Si el número no baja, revise la conexión.',
  'store.state.unshared':
    '{count, plural, one {# lectura o importación sin compartir} other {# lecturas e importaciones sin compartir}}',
  'store.next.unshared':
    '{isThis, select, yes {Las otras estaciones no las conocen. Conecte esta estación al centro de la tienda.} other {Las otras estaciones no las conocen. Abra Countertag allí y conéctela al centro de la tienda.}}',
  'store.state.clock': 'Reloj {span} {direction, select, behind {atrasado} other {adelantado}}',
  'store.next.clock': 'Ponga en hora esa computadora.',
  'store.state.scanner': 'Problema con el escáner',
  'store.next.scanner':
    '{isThis, select, yes {Abra Ajustes > Escáneres.} other {Abra Ajustes > Escáneres en esa estación.}}',
  'store.state.version': 'Versión {version}',
  'store.next.version': 'Esta estación tiene la versión {own}. Actualice la más antigua.',
  'store.remove.label': 'Quitar {station} de la tienda',
  'store.remove.title': '¿Quitar {station} de la tienda?',
  'store.remove.means':
    'Los artículos de sus pedidos abiertos se podrán vender en las demás estaciones. Sus ventas se conservan. Hágalo solo si la estación ya no está; si vuelve, se une de nuevo por sí sola.',
  'store.remove.copy':
    'Sus artículos abiertos se podrán vender en las demás estaciones. Sus ventas se conservan. Hágalo solo si ninguna otra computadora trabaja como {station}.',
  'store.offline.title': 'El centro de la tienda no responde',
  'store.offline.title.read-only': 'El centro de la tienda no acepta cambios',
  'store.offline.title.full': 'El disco del centro de la tienda está lleno',
  'store.offline.title.in-use': 'Otra computadora también es {station}',
  'store.offline.in-use.next':
    'Si esta computadora se instaló a partir de una copia de la otra, dele su propia identidad. Si no, cierre Countertag en la otra.',
  'store.offline.old': 'La lista de abajo es de la última respuesta.',
  'store.as-of': 'Última noticia: {at}',
  'store.overtaken.checkout.settings': 'No se conservaron sus ajustes de ventas',
  'store.overtaken.people.rules': 'No se conservaron sus reglas de inicio de sesión',
  'store.overtaken.outbox.limits': 'No se conservaron sus límites de Envíos',
  'store.overtaken.security.gates': 'No se conservaron sus ajustes de PIN y motivo',
  'store.overtaken.means':
    'Se cambiaron en otra estación a las {at}, y esos valen para toda la tienda. Cámbielos de nuevo si deben valer los suyos.',
  'store.state.awaited': 'Se espera',
  'store.next.awaited': 'Abra Countertag allí: así informa al centro de la tienda de qué artículos tiene.',
  'claim.awaited': 'Sin comprobar con {stations}',
  'hub.rival': 'Identidad usada dos veces',
  'hub.rival.means':
    'Otra computadora quiere trabajar como {station}. Se rechaza mientras esta trabaje. Vea la pantalla Tienda.',
  'hub.copy': 'Datos más antiguos que el centro',
  'hub.copy.means':
    'El centro de la tienda tiene artículos de {station} que esta computadora no conoce. Vea la pantalla Tienda.',
  'hub.awaited': 'Se espera a {stations}',
  'hub.awaited.means':
    'El centro de la tienda se creó o restauró de nuevo. {policy, select, warn {Los artículos no se comprueban con {stations}.} other {No se aceptan artículos nuevos.}} Vea la pantalla Tienda.',
  'store.rival.title': 'Otra computadora también quiere ser {station}',
  'store.rival.means':
    'Probablemente se instaló a partir de una copia de esta. No llega a la tienda mientras esta computadora trabaje. Dele a una de las dos su propia identidad, en su pantalla Tienda.',
  'store.copy.title': 'El centro de la tienda sabe más de {station} que esta computadora',
  'store.copy.means':
    'Los datos de esta computadora son más antiguos, u otra computadora trabajó con una copia. Los artículos de esa copia no se pueden vender en otra estación: abajo aparece como copia de {station}. Si ninguna otra computadora trabaja como {station}, quite la copia: sus artículos abiertos quedan libres y sus ventas se conservan.',
  'store.awaited.means':
    'El centro de la tienda se creó de nuevo o se restauró. Aún no sabe qué artículos {count, plural, one {tiene} other {tienen}} {stations}. {policy, select, warn {Hasta entonces los artículos se aceptan y quedan marcados.} other {Hasta entonces no se aceptan artículos nuevos.}} Abra Countertag allí o continúe sin {count, plural, one {esa estación} other {esas estaciones}}.',
  'store.go-on': 'Continuar sin {stations}',
  'store.go-on.title': '¿Continuar sin {stations}?',
  'store.go-on.means':
    'Los artículos de sus pedidos se podrán vender también en las demás estaciones. Hágalo solo si no {count, plural, one {tiene pedidos abiertos o no va a volver} other {tienen pedidos abiertos o no van a volver}}.',
  'store.go-on.wait': 'Esperar',
  'store.state.copy': 'Copia de {station}',
  'store.next.copy': 'Quítela cuando ninguna otra computadora trabaje como {station}.',
  'store.identity': 'Dar a esta computadora su propia identidad',
  'store.identity.title': '¿Dar a esta computadora su propia identidad?',
  'store.identity.means':
    'Será una estación propia; la otra computadora sigue siendo {station}. Los artículos que ambas tienen en pedidos abiertos se quedan con {station} hasta que se tomen.',
  'store.identity.unsent':
    'Los informes sin enviar que se copiaron están en ambas computadoras. Ambas los envían y el servicio acepta cada uno una vez; aquí pueden requerir atención por estar ya informados.',
  'store.identity.go': 'Darle su propia identidad',
} as const
