import { request } from 'undici'
import { Token } from '../../src-shared/service/token'
import { account } from './store'

/** Another till of the same store sells an item: it calls the service directly, and gives up on failure. */
export async function rivalSale(
  service: { baseUrl: string; authUrl: string },
  orderId: string,
  tagId: string,
): Promise<void> {
  try {
    const form = new URLSearchParams({
      grant_type: 'client_credentials',
      client_id: account.clientId,
      client_secret: account.clientSecret,
    })
    const granted = await request(`${service.authUrl}/o/token/`, {
      method: 'POST',
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
      body: form.toString(),
      headersTimeout: 1_000,
      bodyTimeout: 1_000,
    })
    const token = Token.parse(await granted.body.json())
    const sold = await request(`${service.baseUrl}/api/v1.2/transactions/complete/`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', authorization: `Bearer ${token.access_token}` },
      body: JSON.stringify({ performed_at: new Date().toISOString(), order_id: orderId, items: [tagId] }),
      headersTimeout: 1_000,
      bodyTimeout: 1_000,
    })
    await sold.body.dump()
  } catch {
    // The service is broken at the moment: this customer left.
  }
}
