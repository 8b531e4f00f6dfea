/** Texts say minutes: more often is not needed. */
const lookAgain = 15_000

/** The time in ms, for texts that grow old; it goes on, every so many ms, while the component that made it is there. */
export function createNow(every = lookAgain) {
  let now = $state(Date.now())
  $effect(() => {
    const timer = setInterval(() => {
      now = Date.now()
    }, every)
    return () => clearInterval(timer)
  })
  return {
    get current() {
      return now
    },
  }
}
