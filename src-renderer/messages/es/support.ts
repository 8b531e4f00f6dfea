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
}
