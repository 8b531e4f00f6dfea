/** The only two channels between the page and main: calls there and back, and events one way. */
export const invokeChannel = 'countertag:invoke'
export const eventChannel = 'countertag:event'
