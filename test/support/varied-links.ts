/** Texts of links, mail addresses, numbers and names with marks between: what grammars tell apart. */
import { Draw } from './varied-strings.ts'

const LABELS = 'a b1 x-y example www foo-bar mail 3com t-online xn--bcher-kva q_r münchen'.split(
  ' ',
)
const DOMAINS =
  'com co co.uk org museum de travel xn--p1ai c comx zzz info localhost COM Net'.split(' ')
const SCHEMES =
  'http:// https:// ftp:// file:/// FILE:// HTTP:// mailto: MAILTO: gopher:// http:/'.split(' ')
const PATHS =
  '/ /a /a/b.html /a%20b /~u/x;y=1 /a,b /%zz //x /a/b/c?x=1&y=2 ?q=a+b ?q=ü #frag #a/b?c /x#y :80 :8080/a :123456 ;type=a /f;type=i'.split(
    ' ',
  )
const LOCALS = 'joe j.doe a+b x_y "quoted name" a..b .a first-last a!b q/r'.split(' ')
const HOSTS =
  '127.0.0.1 256.1.1.1 1.2.3 10.0.0.1.5 [::1] [1:2:3:4:5:6:7:8] [::ffff:1.2.3.4] [x]'.split(' ')
const OTHERS =
  "AT&T U.S.A. I.B.M O'Neil R2-D2 1.2.3 a.b.c 12/34 x@y 3,141.59 B2B a_b_1 don't é.à 你好 カナ ฿5".split(
    ' ',
  )
const BETWEEN = [' ', ' ', ' ', '', ',', '.', '-', '_', ' (', ')', '"', '/', '\n', 'é', '日']

function host(draw: Draw): string {
  if (draw.below(6) === 0) return draw.of(HOSTS)
  let text = draw.of(LABELS)
  for (let i = draw.below(3); i > 0; i--) text += `.${draw.of(LABELS)}`
  return draw.below(8) === 0 ? text : `${text}.${draw.of(DOMAINS)}`
}

function link(draw: Draw): string {
  switch (draw.below(7)) {
    case 0:
      return `${draw.of(LOCALS)}@${host(draw)}`
    case 1:
      return `mailto:${draw.of(LOCALS)}@${host(draw)}`
    case 2:
      return host(draw)
    case 3:
      return host(draw) + draw.of(PATHS)
    case 4:
      return draw.of(OTHERS)
    default: {
      const login = draw.below(6) === 0 ? 'user:pw@' : ''
      return (
        draw.of(SCHEMES) +
        login +
        host(draw) +
        (draw.below(2) === 0 ? draw.of(PATHS) : '') +
        (draw.below(4) === 0 ? draw.of(PATHS) : '')
      )
    }
  }
}

/** So many texts, the same in every run. */
export function variedLinks(count = 2000): readonly string[] {
  const draw = new Draw(0x51de)
  return Array.from({ length: count }, () => {
    let text = link(draw)
    for (let i = draw.below(5); i > 0; i--) text += draw.of(BETWEEN) + link(draw)
    return text
  })
}
