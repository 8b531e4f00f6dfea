import Sqlite from 'better-sqlite3'

/** Node with better-sqlite3 and one open database: what our main process is made of, with nothing of ours in it. */
const db = new Sqlite(':memory:')
db.exec('CREATE TABLE one (n INTEGER) STRICT')
console.log('Ready')
setInterval(() => db.prepare('SELECT count(*) FROM one').get(), 60_000)
