/** Acerca de, el archivo para soporte, datos de clientes: se carga después del inicio. */
export const support = {
  'support.runtime': 'Funciona con',
  'support.data': 'Datos de esta estación',
  'support.database': 'Base de datos',
  'support.megabytes': '{size, number, ::.0} MB',
  'support.log': 'Registro',
  'support.diagnostics': 'Guardar un archivo para soporte',
  'support.diagnostics.how':
    'Versiones, ajustes, cantidades y las últimas líneas del registro. No lleva credenciales ni clientes.',
  'support.licences': 'Guardar las licencias de terceros',
  'support.licences.how': 'Countertag está hecho con trabajo de otros. Este archivo lo nombra, con sus licencias.',
  'support.customer': 'Datos de un cliente',
  'support.customer.how':
    'Para un cliente que pregunta qué guarda esta estación de él, o quiere que se borre. Solo de la conexión en uso: cambie a cada una de las otras y hágalo también allí. Se borra solo siete días después de que el servicio tiene el informe.',
  'support.customer.id': 'ID de cliente',
  'support.customer.form': 'Un ID de cliente tiene de 1 a 100 caracteres.',
  'support.customer.export': 'Guardar lo que hay',
  'support.customer.erase': 'Borrar',
  'support.customer.erased':
    '{erased, plural, =0 {No había nada que borrar.} one {Borrado de un informe.} other {Borrado de # informes.}} {kept, plural, =0 {} one {Un pedido o informe sin terminar lo conserva hasta que el servicio lo tenga, y entonces lo pierde.} other {# pedidos o informes sin terminar lo conservan hasta que el servicio los tenga, y entonces lo pierden.}}',
  'support.erase.title': '¿Borrar este cliente?',
  'support.erase.how':
    'El cliente {customerId} se quita de todos los informes de esta conexión que el servicio ya tiene, y de los demás en cuanto los tenga. No se puede deshacer.',
  'support.erase.keep': 'Conservar',

  'update.title': 'Countertag {version} está listo',
  'update.how':
    'Se instala cuando Countertag se reinicia. Tarda un minuto; nada de lo que espera envío se pierde, y el pedido que tiene delante se queda.',
  'update.agreed': 'Countertag se reinicia en cuanto nada esté en camino al servicio.',
  'update.later': 'Más tarde',
  'update.restart': 'Reiniciar ahora',
}
