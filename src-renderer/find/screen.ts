import type { App } from '../app.svelte'
import { Find } from './find.svelte'

export { default as FindScreen } from './FindScreen.svelte'

/** Looks things up for an app; orders open on their own screen. */
export const createFind = (app: App): Find =>
  new Find({
    client: app.client,
    isInFront: () => app.screen === 'find',
    openOrder: (orderId) => {
      app.go('orders')
      return app.orders.scan(orderId)
    },
    showOperation: (id) => app.showOperation(id),
    connection: () => app.connection,
  })
