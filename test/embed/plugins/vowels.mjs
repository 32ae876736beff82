// A char filter: takes a letter out, offsets kept.
export default options => {
  const letter = options.get('letter')
  if (letter === undefined) throw new Error('letter is missing')
  return text => {
    const kept = [...text].flatMap((char, i) => (char === letter ? [] : [i]))
    const correct = offset => (offset < kept.length ? kept[offset] : text.length)
    return { text: kept.map(i => text[i]).join(''), correct }
  }
}
