/** For a form that code sends: the page stays. */
export function submitBy(send: () => unknown) {
  return (event: { preventDefault: () => void }): void => {
    event.preventDefault();
    void send();
  };
}
