import type { Page } from '@playwright/test'

/** Sells each item in an order of its own, over a second WebSocket: the first order has the number `first`. */
export async function sellEach(page: Page, first: number, tagIds: string[]): Promise<void> {
  await page.evaluate(
    async ([from, items]) => {
      const socket = new WebSocket(`ws://${location.host}/ipc`)
      await new Promise((resolve) => socket.addEventListener('open', resolve))
      let asked = 0
      interface Done {
        ok: boolean
        value: { revision: number }
      }
      const isAnswer = (said: unknown): said is { id: number; answer: Done } =>
        typeof said === 'object' && said !== null && 'id' in said && 'answer' in said
      const call = (name: string, input: object) =>
        new Promise<Done>((resolve) => {
          const id = ++asked
          socket.addEventListener('message', ({ data }) => {
            const said: unknown = JSON.parse(String(data))
            if (isAnswer(said) && said.id === id) resolve(said.answer)
          })
          socket.send(JSON.stringify({ id, call: name, input }))
        })
      const mode = 'sale'
      for (const [n, tagId] of items.entries()) {
        const orderId = String(from + n)
        await call('checkout.addItem', { mode, tagId })
        const { value } = await call('checkout.setOrder', { mode, orderId })
        const sale = { mode, orderId, itemCount: 1, revision: value.revision, isMeant: true }
        const done = await call('checkout.finish', sale)
        if (!done.ok) throw new Error(JSON.stringify(done))
      }
      socket.close()
    },
    [first, tagIds] as const,
  )
}
