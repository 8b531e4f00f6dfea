export const delivery = {
  'delivery.title':
    '{count, plural, =0 {Entrega} one {Entrega: # caja} other {Entrega: # cajas}}{open, plural, =0 {} other {, # por importar}}',
  'delivery.list': 'Paquetes y cajas de esta entrega',
  'delivery.package.count':
    '{count, plural, one {# caja} other {# cajas}}{open, plural, =0 {} other {, # por importar}}',
  'delivery.package.unseen': 'Aún no consultado',
  'delivery.package.drop': 'Quitar el paquete {packageUid} de la lista',
  'delivery.drop-case': 'Quitar esta caja de la lista',
  'delivery.singles': 'Escaneadas por separado',
  'delivery.unseen': 'Importadas sin verlas',
  'delivery.reading': 'Consultando…',
  'delivery.ready': 'Lista para importar',
  'delivery.no-items': 'Sin artículos',
  'delivery.tick': 'Marcar {name}',
  'delivery.count': 'Contar artículos',
  'delivery.more': 'Más',
  'delivery.unseen-left':
    '{count, plural, one {Falta completar # caja escaneada} other {Falta completar # cajas escaneadas}}',
  'delivery.unseen-left.fill': 'Completar',

  'delivery.import': '{count, plural, one {Importar # caja} other {Importar # cajas}}',
  'delivery.import-this': 'Importar solo esta caja',
  'delivery.fill': 'Completar los ID del POS',
  'delivery.incomplete':
    '{count, plural, one {A # más le faltan los ID del POS} other {A # más les faltan los ID del POS}}',
  'delivery.fill.package': 'Completar lo que falta',
  'delivery.incomplete.package':
    '{count, plural, one {A # más le falta el paquete o los ID del POS} other {A # más les faltan el paquete o los ID del POS}}',
  'delivery.left-out':
    '{count, plural, one {# caja omitida} other {# cajas omitidas}}, certificado no aprobado o vencido: marque para importar',
  'delivery.incomplete.show': 'Ver',
  'delivery.skipped':
    '{count, plural, one {Se omite # caja marcada: nada que importar} other {Se omiten # cajas marcadas: nada que importar}}',
  'delivery.progress': 'Importando {done} de {total}',
  'delivery.progress.cut':
    '{done} de {total} importadas. Ahora no hay respuesta: {waiting, plural, one {# está guardada y se enviará sola.} other {# están guardadas y se enviarán solas.}}',
  'delivery.progress.label': 'Importación de la entrega',
  'delivery.result':
    '{imported, plural, =0 {Nada importado} one {# importada} other {# importadas}}{refused, plural, =0 {} one {, # rechazada} other {, # rechazadas}}{withdrawn, plural, =0 {} one {, # retirada} other {, # retiradas}}',
  'delivery.result.show-refused': '{count, plural, one {Ver la rechazada} other {Ver las rechazadas}}',

  'delivery.undo': 'Deshacer toda esta entrega',
  'delivery.undo.title': '{count, plural, one {¿Deshacer # importación?} other {¿Deshacer # importaciones?}}',
  'delivery.undo.means':
    'Las cajas salen de nuevo del inventario. Lo que aún no se envió se retira; lo demás se informa como retirado.',
  'delivery.undo.keep': 'Conservarlas',
  'delivery.undo.do': '{count, plural, one {Deshacer # importación} other {Deshacer # importaciones}}',
  'delivery.undone':
    '{saved, plural, =0 {Nada deshecho} one {# importación deshecha} other {# importaciones deshechas}}{refused, plural, =0 {} one {, # no se pudo} other {, # no se pudieron}}',

  'delivery.finish': 'Terminar entrega',
  'delivery.finish.title': '¿Terminar esta entrega?',
  'delivery.finish.open':
    '{count, plural, =0 {No queda ninguna caja por importar.} one {Falta importar # caja.} other {Falta importar # cajas.}}',
  'delivery.finish.waiting':
    '{count, plural, one {# importación está en camino y sigue sola.} other {# importaciones están en camino y siguen solas.}}',
  'delivery.finish.count':
    'El conteo no está terminado ({counted, number} de {total, number}). Termina con la entrega.',
  'delivery.finish.means': 'El próximo escaneo empieza otra entrega. Esta queda en el historial.',
  'delivery.finish.keep': 'Todavía no',

  'case.no-items': 'Esta caja no tiene artículos',
  'case.no-items.means': 'No hay nada que importar ni que vender. Apártela y pregunte a la marca.',
  'case.several-packages': 'Sus artículos están en {count} paquetes',
  'case.several-packages.means': 'Revise el paquete en el papel de esta entrega y elíjalo abajo.',
  'case.other-package': 'Sus artículos están en otro paquete, no en el que se escaneó',

  'fact.known': 'Según lo visto: {at}',
  'pos.shared': 'Para {count} cajas de este producto en este paquete',
  'pos.remembered': 'Recordado de: {at}',
  'pos.remembered.other': 'Recordado de otro paquete: {at}',
  'pos.inherited': 'Como se escribió para otro paquete',
  'pos.catalogue': 'Catálogo del POS ({at}), línea {line}',
  'pos.choices': 'Sugerencias: {field}',

  'blind.title': 'Countertag no ha visto esta caja',
  'blind.means': 'Se importará cuando vuelva la conexión.',
  'blind.save': 'Guardar importación',
  'blind.instead': 'Importarla sin verla',
  'blind.not-now': 'No importarla',
  'blind.more':
    '{count, plural, one {Después de esta espera # caja escaneada más.} other {Después de esta esperan # cajas escaneadas más.}}',
  'blind.package': 'En el paquete {packageUid}',
  'blind.package.only': 'El único paquete de esta entrega',
  'blind.package.listed': 'El paquete que incluye esta caja',
  'blind.waits': 'Primero se consulta la caja y luego se importa.',
  'blind.choose': 'Elegir el producto',

  'receiving.cases': 'Cajas',
  'receiving.case-count': '{count, plural, =0 {Sin cajas} one {# caja} other {# cajas}}',
  'receiving.more-products': '{count, plural, one {y # producto más} other {y # productos más}}',
  'receiving.refresh': 'Consultar de nuevo',
  'receiving.no-cases': 'No hay cajas en este paquete',
  'receiving.stored': 'Según lo visto a las {at, time, short}, el servicio no respondió',
  'receiving.stored.unreachable': 'Según lo visto a las {at, time, short}, sin conexión',
  'receiving.case': 'Caja',
  'receiving.selected': 'Caja elegida',
  'receiving.no-product.means':
    'El servicio no indica ningún producto para sus artículos. Pregunte a la marca antes de aceptarla.',
  'receiving.choose-product': '¿Qué producto importa?',
  'receiving.choice-note': '{count, plural, one {# artículo} other {# artículos}}, {state}',
  'receiving.form': 'Importar al punto de venta',
  'receiving.pos-product-id': 'ID de producto en el POS',
  'receiving.pos-inventory-id': 'ID de inventario en el POS',
  'receiving.package-uid': 'UID del paquete',
  'receiving.package-choices': 'Paquetes en los que está esta caja',
  'receiving.sku': 'SKU (opcional)',
  'receiving.field.missing': 'Complete este campo.',
  'receiving.field.invalid': 'Es demasiado largo o no sirve aquí.',
  'receiving.field.service-says': 'El servicio dice: {words}',
  'receiving.import': 'Importar caja',
  'receiving.import-again': 'Importar de nuevo',
  'receiving.undo-of': 'Deshacer la importación de {name}',
  'receiving.undo.withdraw': 'Deshacer, aún no se envió',
  'receiving.undo.inverse': 'Deshacer la importación',
  'receiving.count.any': '{count, plural, one {# artículo} other {# artículos}}',
  'receiving.count.match': '{count} de {required} requeridos',
  'receiving.count.short': '{count} de {required} requeridos, faltan {difference}',
  'receiving.count.over': '{count} de {required} requeridos, sobran {difference}',
  'fact.none': 'Sin dato',
  'fact.case': 'Caja {identifier}',
  'fact.count': 'Artículos',
  'fact.coa': 'Análisis de laboratorio',
  'fact.batch': 'Lote',
  'fact.packaged-on': 'Envasado el',
  'fact.use-by': 'Usar antes del',
  'coa.passed': 'Todas las pruebas aprobadas',
  'coa.partly-tested': 'Aprobado, con pruebas sin hacer',
  'coa.failed': 'Prueba no aprobada',
  'coa.none': 'Sin certificado',
  'coa.expired': 'Certificado vencido',
  'coa.expires-on': 'Certificado válido hasta el {date, date, medium}',
  'coa.expired-on': 'Venció el {date, date, medium}',
  'import-state.waiting.means': 'La importación está guardada y se enviará sola.',
  'import-state.imported-here.means': 'En el paquete {packageUid}. Sus artículos se pueden vender.',
  'import-state.imported-by-company.means':
    'Otro de sus dispensarios tiene esta caja en su inventario. Debe retirarla allí antes de que usted la importe.',
  'import-state.imported-elsewhere.means':
    'Un dispensario ajeno a su empresa tiene esta caja. Apártela y pregunte al repartidor o a la marca.',
  'import-state.refused.means': 'El servicio rechazó la importación. Corríjala o vea Envíos.',
  'import-state.unknown.means':
    'No se pudo consultar al servicio. Puede importar: se guarda y se envía en cuanto se pueda.',
}
