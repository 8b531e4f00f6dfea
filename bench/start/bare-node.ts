import Sqlite from 'better-sqlite3'

/** Node with better-sqlite3 and one open database: the base of our main process, without our code. */
const db = new Sqlite(':memory:')
db.exec('CREATE TABLE one (n INTEGER) STRICT')
console.log('Ready')
setInterval(() => db.prepare('SELECT count(*) FROM one').get(), 60_000)
