/** Lo que una persona debe saber sin preguntar: en la barra en pocas palabras, en la lista con lo que significa. */
export const warnings = {
  'warnings.title': 'Avisos',
  'warnings.open': 'Mostrar avisos',
  'warnings.more': 'y {count} más',
  'warnings.none': 'Sin avisos',
  'warnings.none.means': 'Todo está como debe.',
  'warnings.settings': 'Abrir Ajustes',

  'warning.unsent-many.short': 'Muchos sin enviar',
  'warning.unsent-many.title': '{count, plural, one {Espera envío # informe.} other {Esperan envío # informes.}}',
  'warning.unsent-many.means':
    'Se alcanzó el límite de Ajustes. Los informes están a salvo aquí y puede seguir vendiendo. Averigüe por qué no sale nada.',
  'warning.unsent-old.short': 'Sin enviar hace {span}',
  'warning.unsent-old.title': 'Un informe espera envío {since}',
  'warning.unsent-old.means':
    'Se pasó el límite de Ajustes. Está a salvo aquí y puede seguir vendiendo. Mire en Envíos qué espera.',
  'warning.clock-off.short': '{direction, select, behind {Reloj atrasado {span}} other {Reloj adelantado {span}}}',
  'warning.clock-off.title':
    '{direction, select, behind {El reloj de esta computadora está atrasado {span} respecto al del servicio.} other {El reloj de esta computadora está adelantado {span} respecto al del servicio.}}',
  'warning.clock-off.means': 'Las horas de las ventas se corrigen. Ponga el reloj en hora.',
  'warning.data-salvaged.short': 'Datos dañados',
  'warning.data-salvaged.title': 'Los datos de esta computadora se dañaron.',
  'warning.data-salvaged.what':
    'Se detectó el {at, date, medium} a las {at, time, short}; el archivo dañado se apartó como {file}.',
  'warning.data-salvaged.saved':
    '{count, plural, =0 {No se pudo rescatar ningún informe.} one {Se rescató # informe.} other {Se rescataron # informes.}}',
  'warning.data-salvaged.from-backup':
    '{count, plural, one {# de ellos solo estaba en la última copia de seguridad.} other {# de ellos solo estaban en la última copia de seguridad.}}',
  'warning.data-salvaged.lost':
    '{count, plural, =0 {No se perdió ninguno.} one {Se perdió # informe: vuelva a registrarlo con los recibos.} other {Se perdieron # informes: vuelva a registrarlos con los recibos.}}',
  'warning.data-salvaged.lost-unknown': 'No se sabe si se perdió alguno: compare los últimos pedidos con el POS.',
  'warning.data-salvaged.means': 'Lo que aún no se había enviado se verifica antes de enviarlo otra vez.',
  'warning.data-salvaged.noted': 'Tomé nota',
  'warning.backup-failing.short': 'Sin copia',
  'warning.backup-failing.title': 'No se pudo hacer la última copia de seguridad.',
  'warning.backup-failing.last': 'La última buena: {at}',
  'warning.backup-failing.none': 'Aún no hay ninguna buena.',
  'warning.backup-failing.means': 'Puede seguir vendiendo. Avise a un gerente: el disco puede estar lleno.',
  'warning.report-slow.short': 'Respuestas lentas',
  'warning.report-slow.title': 'Un informe lleva más de 30 segundos sin respuesta.',
  'warning.report-slow.means':
    'Está guardado en esta computadora y se verificará o se enviará otra vez. Puede seguir vendiendo.',
  'warning.sending-stuck.short': 'Envío detenido',
  'warning.sending-stuck.title': 'Un informe lleva más de 2 minutos enviándose.',
  'warning.sending-stuck.means':
    'Está guardado en esta computadora. Puede seguir vendiendo. Si el aviso no desaparece, cierre Countertag y ábralo otra vez.',
  'warning.no-token.short': 'Falla el inicio de sesión',
  'warning.no-token.title': 'Desde hace más de 30 segundos el servicio no deja iniciar sesión a esta estación.',
  'warning.no-token.means':
    'Su servidor de inicio de sesión no da una respuesta válida. Los informes esperan a salvo en esta computadora. Si el aviso no desaparece, llame al soporte del servicio.',
  'warning.service-clock-wrong.short': 'Reloj del servicio erróneo',
  'warning.service-clock-wrong.title': 'El reloj del servicio está mal.',
  'warning.service-clock-wrong.means':
    'No se puede leer o difiere más de un día del reloj de esta computadora. No se usa para las horas de las ventas. Revise la fecha de esta computadora.',
}
