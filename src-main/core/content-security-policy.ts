/**
 * What the app's pages may load: their own scripts, styles, images and fonts, nothing else and nothing inline. `connect`:
 * additional origins the page may connect to (the browser host's WebSocket).
 */
function contentSecurityPolicy(connect: readonly string[] = []): string {
  return [
    "default-src 'none'",
    "script-src 'self'",
    "style-src 'self'",
    // Images from the service arrive from main as data: URLs.
    "img-src 'self' data:",
    "font-src 'self'",
    ["connect-src 'self'", ...connect].join(' '),
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
  ].join('; ')
}

/** The headers that both hosts put on every response, errors included. */
export function securityHeaders(connect: readonly string[] = []): Record<string, string> {
  return {
    'content-security-policy': contentSecurityPolicy(connect),
    'x-content-type-options': 'nosniff',
    'referrer-policy': 'no-referrer',
    'cross-origin-opener-policy': 'same-origin',
    'cross-origin-resource-policy': 'same-origin',
  }
}
