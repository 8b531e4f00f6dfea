import { readFile } from 'node:fs/promises'
import type { IncomingMessage, Server, ServerResponse } from 'node:http'
import { extname, join, normalize, sep } from 'node:path'

/** Answers a request for a file of the page. Always gives an answer. */
export type Pages = (request: IncomingMessage, response: ServerResponse) => void

const types: Record<string, string> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.svg': 'image/svg+xml',
  '.png': 'image/png',
  '.json': 'application/json',
}

/** The built renderer in `folder`; the empty path is its index.html. Nothing outside the folder is ever read. */
export function createStaticFiles(folder: string): Pages {
  const root = normalize(folder + sep)
  return (request, response) => {
    void (async () => {
      const file = fileOf(request.url ?? '/')
      const type = file === undefined ? undefined : types[extname(file)]
      const content = file === undefined || type === undefined ? undefined : await readFile(file).catch(() => undefined)
      if (content === undefined || type === undefined) {
        response.writeHead(404, { 'content-type': 'text/plain' }).end('Not found')
        return
      }
      // Names carry a hash of their contents, but for the page itself.
      const isPage = type.startsWith('text/html')
      response.writeHead(200, {
        'content-type': type,
        'cache-control': isPage ? 'no-store' : 'max-age=31536000, immutable',
      })
      response.end(content)
    })()
  }

  function fileOf(url: string): string | undefined {
    try {
      const path = decodeURIComponent(new URL(url, 'http://localhost').pathname)
      const file = normalize(join(root, path === '/' ? 'index.html' : path))
      return file.startsWith(root) && !file.includes('\0') ? file : undefined
    } catch {
      return undefined
    }
  }
}

/** The renderer from its sources, with hot reload: Vite inside our own server. Only for `npm run dev`. */
export async function servePagesFromSource(repository: string, server: Server): Promise<Pages> {
  const { createServer } = await import('vite')
  const { svelte } = await import('@sveltejs/vite-plugin-svelte')
  const vite = await createServer({
    configFile: false,
    root: join(repository, 'src-renderer'),
    plugins: [svelte({ configFile: false })],
    appType: 'spa',
    server: { middlewareMode: true, hmr: { server } },
  })
  server.on('close', () => void vite.close())
  return (request, response) => {
    vite.middlewares(request, response)
  }
}

/** Vite sets styles as elements of the page: allowed while developing, never in what is built. */
export const developmentHeaders = (own: Record<string, string>): Record<string, string> => ({
  ...own,
  'content-security-policy': (own['content-security-policy'] ?? '').replace(
    "style-src 'self'",
    "style-src 'self' 'unsafe-inline'",
  ),
})
