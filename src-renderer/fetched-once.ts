/**
 * One fetch for all who need what it brings; they go on in the order in which they asked. (Of several `import()`s of a
 * module that is still on its way, a browser lets any go first: scans would change places.) A fetch that failed is made
 * anew for whoever asks next.
 */
export function fetchedOnce<T>(fetch: () => Promise<T>): () => Promise<T> {
  let fetched: Promise<T> | undefined
  return () => {
    if (fetched) return fetched
    const fetching = fetch()
    fetched = fetching
    fetching.catch(() => (fetched = undefined))
    return fetching
  }
}
