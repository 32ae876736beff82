/** @type {import('lamella').TokenFilterPlugin} */
export default options => {
  const ending = options.get('ending') ?? '+'
  return input => {
    let isSecond = false
    return {
      next() {
        isSecond = !isSecond
        if (isSecond) return input.next()
        input.token.term += ending
        input.token.positionIncrement = 0
        return true
      },
      reset() {
        isSecond = false
      },
    }
  }
}
