/** Not needed before the first scan: fetched apart, but at the start, while the host is there. */
export const checkoutScreen = () => import('./CheckoutScreen.svelte')
