import type { Client } from '../../src-shared/ipc/client'

/**
 * A client that asks for the PIN where main wants one, and then makes the call again: whoever calls need not know which
 * calls are locked. `ask` gives whether it was unlocked; if not, the caller gets the refusal.
 */
export function unlocking(client: Client, ask: () => Promise<boolean>): Client {
  return {
    async call(name, input) {
      const answer = await client.call(name, input)
      if (answer.ok || answer.error.code !== 'security/locked') return answer
      return (await ask()) ? client.call(name, input) : answer
    },
    on: client.on.bind(client),
  }
}
