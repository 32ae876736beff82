import { describe, expect, it } from 'vitest'
import { passagesOf, textOf } from '../../corpora/lib/html-text.ts'

const words = (count: number): string => Array.from({ length: count }, (_, i) => `w${i}`).join(' ')

describe('passages of HTML pages', () => {
  it('names a passage after the page and the heading above it', () => {
    const html = `<title>Page</title><body><h1>First <b>part</b></h1><p>${words(15)}</p><h2>Next</h2><p>${words(14)}</p>`
    expect(passagesOf(html, 'x')).toEqual([
      { title: 'Page: First part', body: words(15) },
      { title: 'Page: Next', body: words(14) },
    ])
  })

  it('passes over scripts, styles and navigation', () => {
    const html = `<body><script>if (a < b) x</script><NAV>go away</NAV><p>${words(12)}</p>`
    expect(passagesOf(html, 'name')).toEqual([{ title: 'name', body: words(12) }])
  })

  it('drops what is too short and cuts what is too long', () => {
    expect(passagesOf('<body><p>few words</p>', 'x')).toEqual([])
    const bodies = passagesOf(`<body><p>${words(200)}</p>`, 'x').map(({ body }) => body)
    expect(bodies.join(' ')).toBe(words(200))
    expect(bodies.length).toBe(5)
  })

  it('decodes entities, also those that are none', () => {
    expect(textOf('a &lt;b&gt; &#65;&#x42; &nope; &#xD800; c&nbsp;d')).toBe('a <b> AB &nope; c d')
  })

  it('survives pages that end in the middle of anything', () => {
    for (const html of ['<', '<p', '<!--', '<script>x', '&#', '<body><h1>']) {
      expect(() => passagesOf(html, 'x')).not.toThrow()
    }
  })
})
