import type { gates as english } from '../en/gates'

export const gates: Record<keyof typeof english, string> = {
  'gate.changed': 'Esto cambió entretanto. Revíselo otra vez.',
  'gate.scan-missed': 'Esta lectura no cuenta. Primero responda o cancele.',
  'gate.lead': 'Una persona responsable lo aprueba: escanee su credencial o escriba su nombre corto y su PIN.',
  'gate.lead.pin':
    'Una persona responsable lo aprueba: escanee su credencial o escriba su nombre corto y su PIN. El PIN de gerencia de la tienda sirve sin nombre corto.',
  'gate.lead.short-name': 'Nombre corto de la persona responsable',
  'gate.shown': '{name} lo aprueba',
  'gate.stays': 'La sesión de {name} sigue abierta.',
  'gate.unsent': '{count, plural, one {Guardado, aún no enviado.} other {# cambios guardados, aún no enviados.}}',
  'gate.unsent.label': 'Guardado, aún no enviado',
  'gate.un-import.title': '¿Deshacer {count, plural, one {la importación} other {# importaciones}}?',
  'gate.un-import.means':
    'Saca {isNamed, select, yes {{name}} other {{count, plural, one {la caja} other {las cajas}}}} de su inventario. Se envía cuando el servicio responda.',
  'gate.un-import.go': 'Deshacer {count, plural, one {la importación} other {# importaciones}}',
  'gate.import-against-certificate.title':
    '{why, select, expired {Certificado vencido el {date, date, medium}} past {Certificado vencido} failed {Certificado: prueba no aprobada} other {{count, plural, one {El certificado no pasó o está vencido} other {# certificados no pasaron o están vencidos}}}}. ¿Importar de todos modos?',
  'gate.import-against-certificate.means':
    '{isNamed, select, yes {{name} entra} other {{count, plural, one {La caja entra} other {# productos entran}}}} en su inventario. Se envía cuando el servicio responda.',
  'gate.import-against-certificate.go': 'Importar de todos modos',
  'gate.void.title': '¿Anular {isNamed, select, yes {el pedido {name}} other {estos pedidos}}?',
  'gate.void.means':
    'Se anula {isNamed, select, yes {el pedido completo} other {cada pedido completo}}{count, plural, =0 {} one {, y su artículo vuelve al inventario} other {, y sus # artículos vuelven al inventario}}. Se envía cuando el servicio responda.',
  'gate.void.go': 'Anular {isNamed, select, yes {pedido {name}} other {los pedidos}}',
  'gate.take-out.title': '¿Sacar {count, plural, one {este artículo} other {# artículos}}?',
  'gate.take-out.means':
    'Saca {count, plural, one {este artículo} other {# artículos}} de {isNamed, select, yes {{name}} other {{count, plural, one {la caja} other {sus cajas}}}}. Se envía cuando el servicio responda.',
  'gate.take-out.go': 'Sacar',
  'gate.remove-collection.title':
    '¿Retirar {isNamed, select, yes {{name}} other {{count, plural, one {esta colección} other {# colecciones}}}}?',
  'gate.remove-collection.means':
    'La colección se retira y sus artículos quedan. Se envía cuando el servicio responda.',
  'gate.remove-collection.go': 'Retirarla',
  'gate.put-back.title': '¿Devolver {count, plural, one {este artículo} other {# artículos}} a su lugar?',
  'gate.put-back.means':
    'Devuelve {count, plural, one {este artículo} other {# artículos}} a {isNamed, select, yes {{name}} other {la caja}}. Se envía cuando el servicio responda.',
  'gate.put-back.go': 'Devolver',
  'gate.add-items.title': '¿Agregar {count, plural, one {este artículo} other {# artículos}}?',
  'gate.add-items.means':
    'Agrega {count, plural, one {este artículo} other {# artículos}} a {isNamed, select, yes {{name}} other {la caja}}. Se envía cuando el servicio responda.',
  'gate.add-items.go': 'Agregar {count, plural, one {# artículo} other {# artículos}}',
  'gate.add-case.title': '¿Agregar {count, plural, one {esta caja} other {# cajas}} al paquete?',
  'gate.add-case.means':
    'Agrega {isNamed, select, yes {{name}} other {{count, plural, one {esta caja} other {# cajas}}}} al paquete. Se envía cuando el servicio responda.',
  'gate.add-case.go': 'Agregar la caja',
  'gate.restore-collection.title':
    '¿Restaurar {isNamed, select, yes {{name}} other {{count, plural, one {esta colección} other {# colecciones}}}}?',
  'gate.restore-collection.means': 'La colección vuelve a estar activa. Se envía cuando el servicio responda.',
  'gate.restore-collection.go': 'Restaurarla',
  'gate.sign-count.title': '¿Firmar el conteo?',
  'gate.sign-count.means':
    'El conteo de {isNamed, select, yes {{name}} other {el estante}} se cierra con {count, plural, =0 {ninguna diferencia} one {# diferencia} other {# diferencias}} y después no se puede cambiar. No se informa nada.',
  'gate.sign-count.go': 'Firmar',

  'gates.title': 'Confirmaciones',
  'gates.hint':
    'Lo que se pide antes de informar un cambio fuera de una venta normal. Los motivos se guardan y se imprimen en los informes.',
  'gates.no-pin': 'No hay PIN: donde se pide un PIN, basta el motivo o el nombre.',
  'gates.what': 'Cambio',
  'gates.wants': 'Pide',
  'gates.ask': 'Confirmación',
  'gates.reason': 'Motivo',
  'gates.pin': 'PIN y motivo',
  'gates.sign.reason': 'Nombre',
  'gates.sign.pin': 'PIN y nombre',
  'gates.un-import': 'Deshacer una importación',
  'gates.import-against-certificate': 'Importar con certificado no aprobado o vencido',
  'gates.void': 'Anular un pedido',
  'gates.take-out': 'Sacar un artículo',
  'gates.remove-collection': 'Retirar una colección',
  'gates.put-back': 'Devolver un artículo a su lugar',
  'gates.add-items': 'Agregar artículos',
  'gates.add-case': 'Agregar una caja a un paquete',
  'gates.restore-collection': 'Restaurar una colección',
  'gates.sign-count': 'Firmar un conteo del estante',

  'permitted.title': 'Cambios con motivo',
  'scan.void.asked.reason': 'Indique el motivo en la pantalla.',
}
