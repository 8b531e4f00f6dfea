import DOMPurify from 'dompurify'

/**
 * An address that may be opened outside the app: https, with no name or password before the host, which would make one
 * host look like another. Null for everything else.
 */
export function outsideAddress(text: string): URL | null {
  const url = URL.parse(text)
  if (url?.protocol !== 'https:' || url.username !== '' || url.password !== '') return null
  return url
}

/** Text and its structure, nothing that draws, loads, runs or sends. */
const tags = [
  ...['p', 'div', 'span', 'br', 'hr', 'blockquote', 'pre', 'code', 'a'],
  ...['b', 'strong', 'i', 'em', 'u', 's', 'small', 'sub', 'sup'],
  ...['h1', 'h2', 'h3', 'h4', 'h5', 'h6', 'ul', 'ol', 'li', 'dl', 'dt', 'dd'],
]

/**
 * HTML from outside as nodes that are safe in our page. A link becomes a button that calls `onopen` with its address: it
 * leads nowhere by itself, not even by a middle click. Titles become paragraphs: only ours may structure the screen.
 */
export function cleanHtml(html: string, onopen: (address: URL) => void): DocumentFragment {
  const nodes = DOMPurify.sanitize(html, {
    RETURN_DOM_FRAGMENT: true,
    ALLOWED_TAGS: tags,
    ALLOWED_ATTR: ['href'],
    ALLOW_DATA_ATTR: false,
    ALLOW_ARIA_ATTR: false,
    // The content of these is not text for people.
    ADD_FORBID_CONTENTS: ['select', 'option', 'textarea', 'button', 'object', 'template'],
  })
  for (const link of nodes.querySelectorAll('a')) replaceLink(link, onopen)
  for (const title of nodes.querySelectorAll('h1, h2, h3, h4, h5, h6')) {
    const paragraph = document.createElement('p')
    paragraph.className = 'title'
    paragraph.append(...title.childNodes)
    title.replaceWith(paragraph)
  }
  for (const element of nodes.querySelectorAll('[href]')) element.removeAttribute('href')
  return nodes
}

function replaceLink(link: HTMLAnchorElement, onopen: (address: URL) => void): void {
  const address = outsideAddress(link.getAttribute('href') ?? '')
  if (!address) {
    link.replaceWith(...link.childNodes)
    return
  }
  const button = document.createElement('button')
  button.type = 'button'
  button.className = 'link'
  // The words may claim another address: the question that follows names the real one.
  button.textContent = link.textContent.trim() === '' ? address.host : link.textContent
  button.addEventListener('click', () => onopen(address))
  link.replaceWith(button)
}
