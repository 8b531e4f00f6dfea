/** El PIN de gerencia: se carga después del inicio. */
export const security = {
  'security.title': 'PIN de gerencia',
  'security.how':
    'Protege los ajustes, descartar informes rechazados y las exportaciones. Escanear, vender y recibir nunca se bloquea.',
  'security.none': 'Sin PIN: no hay nada bloqueado',
  'security.locked': 'Bloqueado',
  'security.open': 'Desbloqueado',
  'security.pin': 'PIN',
  'security.pin.new': 'PIN nuevo',
  'security.pin.hint': 'De 4 a 12 cifras. Nadie puede volver a leerlo: anótelo y guárdelo bien.',
  'security.pin.again': 'El mismo PIN otra vez',
  'security.pin.differs': 'Los dos no son iguales. Escriba ambos otra vez.',
  'security.auto-lock.minutes': 'Bloquear solo después de',
  'security.auto-lock.choice': '{minutes, plural, one {un minuto} other {# minutos}}',
  'security.fixed': 'Puesto por su departamento de informática',
  'security.required':
    'Su departamento de informática exige un PIN: sin él, ajustes y exportaciones quedan bloqueados.',
  'security.forgotten': '¿Olvidado? Nadie puede leerlo: quien cuida este equipo puede quitarlo (docs/operator.md).',
  'security.pin.form': 'Un PIN tiene de 4 a 12 cifras y nada más.',
  'security.set': 'Poner el PIN',
  'security.change': 'Cambiar el PIN',
  'security.remove': 'Quitar el PIN',
  'security.lock': 'Bloquear ahora',
  'security.unlock': 'Desbloquear',
  'security.cancel': 'Dejarlo bloqueado',
  'security.unlock.title': 'PIN de gerencia',
  'security.unlock.how': 'Esto está bloqueado en esta estación. Todavía no se cambió nada.',
}
