/**
 * What is not drawn before the first scan: fetched apart, and at the start already, while the host is there. A failed
 * fetch is tried again at the next look.
 */
export const deliveryPane = () => import('./DeliveryPane.svelte')
export const receivingDialogs = () => import('./ReceivingDialogs.svelte')
export const historyView = () => import('./history/HistoryView.svelte')
export const countPane = () => import('./count/CountPane.svelte')
export const counting = () => import('./count/counting.svelte')

export const fetchReceiving = () => Promise.all([deliveryPane(), receivingDialogs(), historyView(), countPane()])
