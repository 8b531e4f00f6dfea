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

  'error.app/reopened.what': 'Countertag estaba cambiando a otra conexión.',
  'error.app/reopened.means': 'Este paso no se hizo en ninguna de las dos. No se guardó nada.',
  'error.app/reopened.next': 'Mire qué tienda aparece arriba y hágalo de nuevo si corresponde.',

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

  'error.app/saved-unseen.what': 'Está hecho y guardado, pero no se puede mostrar aquí.',
  'error.app/saved-unseen.means': 'No lo haga otra vez. La bandeja de salida y Pedidos lo muestran.',
  'error.app/saved-unseen.next': 'Dé esta referencia a soporte: {reference}.',
  'error.service/unproven.what': 'La respuesta no muestra si el servicio lo aceptó.',
  'error.service/unproven.means': 'Estado {status}{said, select, none {} other {: «{said}»}}',
  'error.service/unproven.next': 'Lo comprobamos con el servicio antes de reenviarlo.',
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

  'error.store/not-saved.what': 'Esta computadora no pudo guardarlo.',
  'error.store/not-saved.means': 'No se guardó ni se envió nada. El disco puede estar lleno.',
  'error.store/not-saved.next': 'Llame a un gerente antes de seguir.',

  'error.store/in-use.what': 'Countertag ya está abierto.',
  'error.store/in-use.means': 'Solo un Countertag puede trabajar con los mismos datos.',
  'error.store/in-use.next': 'Use la otra ventana o ciérrela primero.',
} satisfies Partial<Record<ErrorKey, string>>
