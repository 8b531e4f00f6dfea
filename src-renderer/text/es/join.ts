/** Ajustes > Tienda: unirse al centro de la tienda. */
export const join = {
  'join.alone':
    'Esta estación trabaja sola. Con un centro de la tienda, las estaciones comparten los pedidos en espera y ningún artículo se vende en dos de ellas.',
  'join.needs': 'El centro de la tienda es una base de datos PostgreSQL a la que llegan todas las estaciones.',
  'join.begin': 'Unirse a una tienda',
  'join.name.hint': 'Como la muestran las demás estaciones',
  'join.name.first': 'Estación 1',
  'join.policy': 'Cuando el centro de la tienda no responde',
  'join.policy.warn': 'Aceptar artículos y marcarlos',
  'join.policy.warn.note': 'La venta sigue. Dos estaciones podrían aceptar el mismo artículo.',
  'join.policy.refuse': 'Rechazar artículos',
  'join.policy.refuse.note': 'No se acepta ningún artículo hasta que el centro responda.',
  'join.situation.online': 'Conectada',
  'join.place.keychain': 'La contraseña está en el llavero de esta computadora.',
  'join.place.memory': 'La contraseña no está guardada',
  'join.place.memory.means':
    'El llavero de esta computadora no se puede usar. Countertag volverá a necesitar la contraseña al iniciar.',
  'join.place.gone': 'Falta la contraseña',
  'join.place.gone.means':
    'El llavero de esta computadora no la tiene. Escanee un código de unión de otra estación o escriba la contraseña.',
  'join.place.unreadable': 'No se puede leer el llavero',
  'join.place.unreadable.means': 'Está bloqueado o negó el acceso. Desbloquéelo y pruebe de nuevo.',
  'join.enter-again': 'Escribirla de nuevo',
  'join.show-code': 'Mostrar código de unión',
  'join.leave': 'Salir de la tienda',
  'join.left': 'Esta estación salió de la tienda',
  'join.left.other': 'Esta estación salió de la tienda anterior',
  'join.left.told': 'Las demás estaciones pueden tomar los artículos de sus pedidos abiertos.',
  'join.left.untold':
    'El centro de la tienda no respondió. Las demás estaciones aún muestran esta y no reciben los artículos de sus pedidos abiertos. Aún pueden retomar sus pedidos en espera: no complete un mismo pedido en ambas.',

  'join.form.change': 'Cambiar el centro de la tienda',
  'join.form.code': 'Con un código de unión',
  'join.form.code.how':
    'En una estación de la tienda, abra Ajustes > Tienda > Mostrar código de unión. Escanee el código aquí.',
  'join.form.code.paste': 'O pegue el texto de un código de unión',
  'join.form.code.use': 'Usar este texto',
  'join.form.code.reading': 'Leyendo el código de unión',
  'join.form.code.read': 'Código de unión leído',
  'join.form.code.check':
    'Revise que sea su tienda. Aún no se envió nada: la estación se conecta cuando usted pruebe o se una.',
  'join.form.code.unnamed': 'Sin nombre: el código es de Countertag 0.2',
  'join.form.code.unknown': 'Se desconoce',
  'join.form.code.id': 'ID de la tienda',
  'join.form.code.by': 'Hecho por',
  'join.form.code.until': 'Válido hasta',
  'join.form.column.address': 'Esta dirección',
  'join.form.column.own': 'Esta estación ahora',
  'join.form.other': 'Este código de unión es de otra tienda',
  'join.form.other.key': 'Este código de unión es de esta tienda, pero tiene otra clave',
  'join.form.other.address': 'Este es el centro de otra tienda',
  'join.form.other.address.unknown': 'Este puede ser el centro de otra tienda',
  'join.form.other.address.new': 'En esta dirección no hay ninguna tienda configurada',
  'join.form.other.set-up': 'Dejar {own} y configurar una tienda nueva en {other}',
  'join.form.other.address.check': 'Compárelas. Aún no se cambió nada.',
  'join.form.other.check':
    'Compárelas. Aún no se envió ni cambió nada: la estación se conecta cuando usted pruebe o se una.',
  'join.form.other.unknown': 'Este código de unión puede ser de otra tienda',
  'join.form.other.join': 'Dejar {own} y unirse a {other}',
  'join.form.other.means':
    'Las demás estaciones de la tienda anterior podrán vender los artículos de los pedidos abiertos de esta. Los clientes de sus pedidos en espera ya no se podrán leer.',
  'join.form.code.drop': 'Escribir la dirección',
  'join.form.manual.known': 'Con la dirección',
  'join.form.manual': 'Con la dirección, para la primera estación de una tienda',
  'join.form.host': 'Dirección del centro de la tienda',
  'join.form.host.hint': 'Nombre o dirección IP. Una dirección postgres:// completa los demás campos.',
  'join.form.user': 'Usuario',
  'join.form.password': 'Contraseña',
  'join.form.password.keep': 'Déjela vacía para conservar la guardada.',
  'join.form.certificate': 'Certificado del servidor',
  'join.form.certificate.hint': 'No hace falta en esta computadora ni con un servidor de certificado público.',
  'join.form.certificate.needed':
    'El certificado de este centro no cabe en el código de unión. Elija el archivo del certificado: lo tiene su departamento de informática.',
  'join.form.certificate.choose': 'Elegir un archivo PEM',
  'join.form.certificate.wrong': 'Use un archivo PEM: un texto con BEGIN CERTIFICATE, de hasta 20,000 caracteres.',
  'join.form.host.empty': 'Escriba la dirección del centro de la tienda.',
  'join.form.host.scheme': 'Use solo el nombre o la dirección IP, sin https://.',
  'join.form.host.form': 'No es un nombre de servidor ni una dirección IP.',
  'join.form.port.wrong': 'Use un número de 1 a 65535. Lo usual: 5432.',
  'join.form.try': 'Probar',
  'join.form.trying': 'Probando el centro de la tienda',
  'join.form.join': 'Unirse',
  'join.found.new': 'Funciona. Esta es la primera estación de la tienda.',
  'join.found.new.next':
    'Únase para preparar el centro de la tienda. Después, otras estaciones pueden unirse con un código de unión.',
  'join.found.works':
    '{stations, plural, =0 {Funciona. Ninguna otra estación se ha unido.} one {Funciona. Se ha unido # estación más.} other {Funciona. Se han unido # estaciones más.}}',
  'join.found.works.next': 'Únase para trabajar con la tienda.',
  'join.found.needs-code': 'Use un código de unión para esta tienda',
  'join.found.needs-code.next':
    '{stations, plural, one {Se ha unido # estación más.} other {Se han unido # estaciones más.}} La clave de la tienda, que protege a sus clientes, solo viene con un código de unión.',
  'join.found.answer': 'Respuesta: {answer}',
  'join.found.new-key': 'No queda ninguna otra estación: crear una clave nueva',
  'join.found.new-key.hint': 'Los clientes protegidos por la clave anterior ya no se podrán leer.',
  'join.trouble.out-of-files': 'Esta computadora no puede abrir otra conexión: tiene demasiados archivos abiertos.',
  'join.trouble.silent': 'Nada responde en esta dirección.',
  'join.trouble.silent.next':
    'Revise la dirección y el puerto, que el servidor esté encendido y que su cortafuegos admita esta computadora.',
  'join.trouble.unknown-host': 'No se encontró ninguna computadora con este nombre.',
  'join.trouble.unknown-host.next': 'Revise el nombre o use la dirección IP.',
  'join.trouble.refused': 'La computadora responde, pero no en este puerto.',
  'join.trouble.refused.next':
    'Revise el puerto, y que PostgreSQL esté encendido allí y escuche en la red (listen_addresses).',
  'join.trouble.not-postgres': 'En este puerto responde otro programa, no PostgreSQL.',
  'join.trouble.not-postgres.next': 'Revise la dirección y el puerto. Lo usual: 5432.',
  'join.trouble.pooler': 'Hay un agrupador de conexiones en medio, como PgBouncer.',
  'join.trouble.pooler.next':
    'Use la dirección y el puerto de PostgreSQL mismo, o ponga pool_mode = session para esta base de datos en el agrupador.',
  'join.trouble.starting': 'El servidor se está iniciando o deteniendo.',
  'join.trouble.starting.next': 'Espere un minuto y pruebe otra vez.',
  'join.trouble.too-many': 'Al servidor no le quedan conexiones.',
  'join.trouble.too-many.next':
    'Cada estación necesita dos. Pida al administrador de la base de datos que suba el límite o cierre las que no se usan.',
  'join.trouble.slow': 'El servidor responde demasiado tarde.',
  'join.trouble.slow.next':
    'Pruebe otra vez. Si se repite, pregunte al administrador de la base de datos en qué está ocupado.',
  'join.trouble.no-tls': 'El servidor no cifra las conexiones.',
  'join.trouble.no-tls.next': 'Pida al administrador de la base de datos que active TLS (ssl = on). No se envió nada.',
  'join.trouble.old-server': 'Este PostgreSQL es demasiado antiguo.',
  'join.trouble.old-server.next': 'El centro de la tienda necesita PostgreSQL 14 o más nuevo.',
  'join.trouble.not-allowed': 'El servidor no admite a este usuario desde esta computadora.',
  'join.trouble.not-allowed.next':
    'Pida al administrador de la base de datos una línea en pg_hba.conf. Si la línea pide TLS (hostssl), ponga aquí el certificado.',
  'join.trouble.no-database': 'Este servidor no tiene una base de datos con ese nombre.',
  'join.trouble.no-database.next': 'Revise el nombre o cree la base de datos.',
  'join.trouble.certificate': 'El certificado del servidor no es el esperado.',
  'join.trouble.certificate.next':
    'No se envió nada. Elija el certificado de este servidor y revise que sea para esta dirección.',
  'join.trouble.password': 'El servidor rechaza el usuario o la contraseña.',
  'join.trouble.password.next': 'Revise ambos, y que el usuario pueda conectarse desde esta computadora.',
  'join.trouble.rights': 'Este usuario no puede usar las tablas del centro de la tienda.',
  'join.trouble.rights.next':
    'Pida al administrador de la base de datos que le dé permiso o que lo deje crear un esquema.',
  'join.trouble.newer': 'Un Countertag más nuevo usa el centro de la tienda.',
  'join.trouble.newer.next': 'Actualice Countertag en esta computadora.',
  'join.trouble.no-tables': 'Faltan las tablas del centro de la tienda.',
  'join.trouble.no-tables.next':
    'Avise al administrador de la base de datos. Una estación las crea si su usuario puede crear un esquema.',
  'join.trouble.other-store': 'Este centro pertenece a otra tienda.',
  'join.trouble.other-store.next':
    'Cada tienda necesita su propia base de datos. Revise la base de datos y la conexión en uso: servicio y dispensario deben ser los mismos en todas las estaciones.',
  'join.trouble.name-taken': 'Otra estación tiene este nombre.',
  'join.trouble.name-taken.free': '“{name}” está libre y ya está escrito. Úselo o elija otro.',
  'join.trouble.name-taken.next': 'Elija otro nombre para esta estación.',
  'join.trouble.full': 'El disco del centro de la tienda está lleno.',
  'join.trouble.full.next': 'Pida al administrador de la base de datos que libere espacio.',
  'join.trouble.read-only': 'El centro de la tienda no acepta cambios: solo se puede leer.',
  'join.trouble.read-only.next':
    'Avise al administrador de la base de datos. Si hubo una conmutación, revise que la dirección lleve al servidor que acepta cambios.',
  'join.trouble.in-use': 'Otra computadora trabaja con la identidad de esta estación.',
  'join.trouble.in-use.next':
    'Si esta computadora se instaló a partir de una copia de la otra, dele su propia identidad en la pantalla Tienda.',
  'join.trouble.secret-missing': 'Esta computadora no tiene la contraseña del centro de la tienda.',
  'join.trouble.secret-missing.next': 'Escanee un código de unión o escriba la contraseña.',
  'join.trouble.other': 'El centro de la tienda respondió con un error.',
  'join.trouble.other.next': 'Pruebe de nuevo. Si se repite, avise al administrador de la base de datos.',

  'join.code.how': 'En la estación nueva, abra Ajustes > Tienda y escanee este código.',
  'join.code.who':
    'Contiene la contraseña del centro de la tienda. Muéstrelo solo a la estación que se une y no le tome fotos.',
  'join.code.left': 'Vence en {minutes}:{seconds}',
  'join.code.over': 'Este código venció.',
  'join.code.text':
    '¿No hay escáner en la estación nueva? Lleve allí el texto del código, en una memoria USB o con un programa de confianza.',
  'join.code.clipboard': 'Copiar código',
  'join.code.clipboard.done':
    'Copiado en esta computadora hasta que venza. Contiene la contraseña: elimine donde la guarde.',
  'join.code.file': 'Guardar código como archivo',
  'join.code.file.done': 'Lo guarda el navegador. Contiene la contraseña: elimine el archivo después.',
  'join.code.again': 'Mostrar un código nuevo',
  'join.code.no-certificate': 'El certificado no cabe en el código',
  'join.code.no-certificate.means': 'La estación nueva pedirá el archivo del certificado. Téngalo a mano.',
  'join.code.local.means':
    'La dirección del centro es esta misma computadora. Para otras computadoras, cámbiela antes por el nombre o la dirección IP de esta.',

  'join.leave.title': '¿Salir de la tienda?',
  'join.leave.means':
    'Después, esta estación trabaja sola. Las demás estaciones pueden tomar los artículos de sus pedidos abiertos.',
  'join.leave.looking': 'Buscando pedidos en espera e informes que requieren atención',
  'join.leave.held':
    '{count, plural, one {# pedido en espera queda solo en esta estación} other {# pedidos en espera quedan solo en esta estación}}',
  'join.leave.held.unnamed': 'Pedido sin número',
  'join.leave.held.means': 'Las demás estaciones no pueden retomarlos. Sí pueden vender los artículos.',
  'join.leave.attention':
    '{count, plural, one {# informe requiere atención y queda solo en esta estación} other {# informes requieren atención y quedan solo en esta estación}}',
  'join.leave.attention.means':
    '{sales, select, yes {Las demás estaciones no pueden vender los artículos de estas ventas. } other {}}Resuélvalos en Envíos antes de salir.',
  'join.leave.password': 'La contraseña se borra de esta computadora. Para volver, escanee un código de unión.',
  'join.leave.stay': 'Quedarse',

  'scan.join.elsewhere': 'Para unirse a la tienda con él, abra Ajustes > Tienda y escanéelo allí.',
  'scan.join.read': 'Revise el nombre de esta estación y únase.',
  'meaning.join': 'Código de unión de una tienda',
  'meaning.kind.join': 'Código de unión',

  'error.join/address.what':
    '{reason, select, empty {Falta la dirección.} scheme {Es una dirección web.} port {Este puerto no sirve.} other {No es un nombre de servidor ni una dirección IP.}}',
  'error.join/address.next':
    '{reason, select, port {Use un número de 1 a 65535.} other {Escriba el nombre o la dirección IP del servidor.}}',
  'error.join/certificate.what': 'No es un certificado en PEM.',
  'error.join/certificate.next': 'Elija el archivo PEM del servidor: un texto con BEGIN CERTIFICATE.',
  'error.join/password-missing.what': 'Falta la contraseña del centro de la tienda.',
  'error.join/password-missing.means': 'Esta computadora no tiene ninguna guardada.',
  'error.join/password-missing.next': 'Escriba la contraseña o escanee un código de unión.',
  'error.join/trouble.what': '{trouble}',
  'error.join/trouble.means': 'No se guardó nada.',
  'error.join/trouble.next': '{next}',
  'error.join/other-store.what': 'Esta es otra tienda que la de esta estación.',
  'error.join/other-store.next': 'Compare las dos tiendas. Para unirse a la otra, confírmelo en el formulario.',
  'error.join/code-needed.what': 'Use un código de unión para esta tienda.',
  'error.join/code-needed.means':
    '{count, plural, one {Se ha unido # estación más.} other {Se han unido # estaciones más.}} La clave de la tienda para los clientes solo viene con un código de unión.',
  'error.join/code-needed.next': 'En una de ellas, abra Ajustes > Tienda > Mostrar código de unión y escanéelo aquí.',
  'error.join/code-unusable.what':
    '{reason, select, expired {Este código de unión venció.} endless {Este código de unión vale demasiado tiempo: no es de una estación.} damaged {Este código de unión está incompleto.} newer {Este código de unión es de un Countertag más nuevo.} foreign {Este código de unión es de otra tienda.} none {No se leyó ningún código de unión.} other {Esto no es un código de unión.}}',
  'error.join/code-unusable.next':
    '{reason, select, newer {Actualice Countertag en esta computadora.} foreign {Revise la conexión en uso: servicio y dispensario deben ser los mismos en todas las estaciones.} damaged {Escanéelo de nuevo, el código entero de una vez.} other {En una estación de la tienda, abra Ajustes > Tienda > Mostrar código de unión y escanee ese.}}',
  'error.join/not-joined.what': 'Esta estación no está en ninguna tienda.',
  'error.join/not-joined.means': 'Puede que otra página la haya retirado.',
  'error.join/not-joined.next': 'Únase primero a la tienda.',
  'error.join/unsent.what': '{count, plural, one {Falta enviar # informe.} other {Faltan por enviar # informes.}}',
  'error.join/unsent.means':
    'Hasta entonces, el centro de la tienda reserva sus artículos ante las demás estaciones. No se cambió nada.',
  'error.join/unsent.next': 'Abra Envíos, espere a que todo se envíe y salga entonces.',
} as const
