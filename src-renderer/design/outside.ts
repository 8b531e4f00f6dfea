/**
 * An address that may be opened outside the app: https, with no name or password before the host, which would make one
 * host look like another. Null for everything else.
 */
export function outsideAddress(text: string): URL | null {
  const url = URL.parse(text)
  if (url?.protocol !== 'https:' || url.username !== '' || url.password !== '') return null
  return url
}
