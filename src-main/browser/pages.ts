import { readFile } from 'node:fs/promises'
import type { IncomingMessage, Server, ServerResponse } from 'node:http'
import { extname, join, normalize, sep } from 'node:path'

/** Answers a request for a file of the page. Always answers. */
export type Pages = (request: IncomingMessage, response: ServerResponse) => void

const types: Record<string, string> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.svg': 'image/svg+xml',
  '.png': 'image/png',
  '.json': 'application/json',
}

/** Serves the built renderer from `folder`; the empty path is index.html. Nothing outside the folder is ever read. */
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
      // All file names except the page's contain a hash of the content.
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

/** Serves the renderer from its sources with hot reload, using Vite inside this server. Only for `npm run dev`. */
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

/** Vite adds styles as inline elements, which is allowed in development but never in a build. */
export const developmentHeaders = (own: Record<string, string>): Record<string, string> => ({
  ...own,
  'content-security-policy': (own['content-security-policy'] ?? '').replace(
    "style-src 'self'",
    "style-src 'self' 'unsafe-inline'",
  ),
})
