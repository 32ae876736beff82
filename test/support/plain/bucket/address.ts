/** The 16 bytes of an address as text of as many characters, so that texts compare as addresses. */
export function addressBytes(address: string): string {
  if (address.includes('.')) {
    const bytes = address.split('.').map(Number)
    return String.fromCharCode(...new Array<number>(10).fill(0), 255, 255, ...bytes)
  }
  const [head = '', tail = ''] = address.split('::')
  const words = (part: string): number[] =>
    part === '' ? [] : part.split(':').map(word => Number.parseInt(word, 16))
  const [first, last] = [words(head), words(tail)]
  const gap = new Array<number>(8 - first.length - last.length).fill(0)
  return String.fromCharCode(
    ...[...first, ...gap, ...last].flatMap(word => [word >> 8, word & 255]),
  )
}
