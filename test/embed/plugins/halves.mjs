// A tokenizer: the text's two halves.
export default () => token => {
  let text = ''
  let given = 0
  return {
    reset(next) {
      text = next
      given = 0
    },
    next() {
      if (given === 2) return false
      const middle = text.length >> 1
      token.startOffset = given === 0 ? 0 : middle
      token.endOffset = given === 0 ? middle : text.length
      token.term = text.slice(token.startOffset, token.endOffset)
      given++
      return true
    },
  }
}
