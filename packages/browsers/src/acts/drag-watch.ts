/* oxlint-disable unicorn/consistent-function-scoping -- functions that run in the page can't use anything outside of them */

/** Listener to drags in a document. */
export interface DragWatch {
  /** Its listeners, by the type of event. */
  readonly listeners: readonly (readonly [type: string, listener: (event: Event) => void])[];
  /** Returns whether the pointer was dragged since it was pressed: a click after that is part of the drag. */
  readonly hasDragged: () => boolean;
}

/**
 * Listens to what is dragged in a document. Runs in the page, in a world of its own: it uses nothing outside of itself. Text that is selected
 * in a field, and a slider that is moved, are no drags.
 *
 * @param report - Called with the element that a drag has begun at.
 */
export function watchDrags(report: (from: Element) => void): DragWatch {
  const leastPixels = 8;
  let from: { readonly element: Element; readonly x: number; readonly y: number } | undefined;
  let isDragged = false;
  const findElement = (event: Event): Element | undefined => {
    const [first] = event.composedPath();
    return first instanceof Element ? first : undefined;
  };
  const isField = (element: Element): boolean =>
    element.matches("input, textarea, select") || (element instanceof HTMLElement && element.isContentEditable);
  const end = (): void => {
    const begun = from?.element;
    from = undefined;
    if (!begun || isDragged) return;
    isDragged = true;
    report(begun);
  };
  const onDown = (event: Event): void => {
    if (!event.isTrusted || !(event instanceof MouseEvent)) return;
    isDragged = false;
    const element = findElement(event);
    from = element && { element, x: event.clientX, y: event.clientY };
  };
  const onUp = (event: Event): void => {
    if (!event.isTrusted || !(event instanceof MouseEvent) || !from) return;
    const { element, x, y } = from;
    const isFar = Math.hypot(event.clientX - x, event.clientY - y) > leastPixels;
    const staysInField = isField(element) && findElement(event) === element;
    if (isFar && !staysInField && !element.matches("input[type=range]")) end();
    from = undefined;
  };
  const onDragStart = (event: Event): void => {
    if (event.isTrusted) end();
  };
  return {
    listeners: [
      ["mousedown", onDown],
      ["mouseup", onUp],
      ["dragstart", onDragStart],
    ],
    hasDragged: () => isDragged,
  };
}
