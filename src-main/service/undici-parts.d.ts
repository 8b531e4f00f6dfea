// undici types its main file only. These are the files behind the same names.
declare module 'undici/lib/api/index.js' {
  import type { Dispatcher } from 'undici'
  const api: Pick<Dispatcher, 'request' | 'connect'>
  export default api
}
declare module 'undici/lib/core/connect.js' {
  import { buildConnector } from 'undici'
  export default buildConnector
}
declare module 'undici/lib/core/errors.js' {
  import { errors } from 'undici'
  export default errors
}
declare module 'undici/lib/dispatcher/agent.js' {
  import { Agent } from 'undici'
  export default Agent
}
declare module 'undici/lib/dispatcher/dispatcher.js' {
  import { Dispatcher } from 'undici'
  export default Dispatcher
}
declare module 'undici/lib/dispatcher/env-http-proxy-agent.js' {
  import { EnvHttpProxyAgent } from 'undici'
  export default EnvHttpProxyAgent
}
declare module 'undici/lib/dispatcher/pool.js' {
  import { Pool } from 'undici'
  export default Pool
}
declare module 'undici/lib/dispatcher/proxy-agent.js' {
  import { ProxyAgent } from 'undici'
  export default ProxyAgent
}
declare module 'undici/lib/dispatcher/socks5-proxy-agent.js' {
  import { Socks5ProxyAgent } from 'undici'
  export default Socks5ProxyAgent
}
