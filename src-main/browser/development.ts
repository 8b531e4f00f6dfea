import type { Server } from 'node:http'
import { join } from 'node:path'
import type { Pages } from './static-files'

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
