import type { Page } from '@playwright/test'
import { type Counter, codes, expect } from './station'

export const [a = '', b = '', c = '', d = ''] = codes.itemsHere
export const [foreign = ''] = codes.itemsToImport

/** Sells, and waits until the service has the sale. */
export async function sold(counter: Counter, orderId: string, items: string[]) {
  await counter.go('Checkout')
  await counter.sell(orderId, items)
  await expect(counter.page.getByText(new RegExp(`Order ${orderId} reported`))).toBeVisible()
}

export const row = (page: Page, orderId: string) =>
  page.getByRole('group', { name: 'Orders' }).getByRole('button', { name: new RegExp(`^${orderId}\\b`) })
export const pane = (page: Page, orderId: string) => page.getByRole('region', { name: `Order ${orderId}`, exact: true })
