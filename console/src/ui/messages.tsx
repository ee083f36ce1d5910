import { useMediaQuery } from '@mantine/hooks';
import { Notifications } from '@mantine/notifications';

/** Beside the menu ends the room that a window of the usual width leaves free on a screen of 1280 pixels. */
const CORNER_WIDTH = 296;

/**
 * The messages about what was done. On a wide screen they lie over the end of the menu, where they cover neither the
 * title of a window nor a button of a page; a narrow one has its buttons at the bottom, so they come at the top.
 */
export function Messages() {
  const hasMenu = useMediaQuery('(min-width: 62em)', window.matchMedia('(min-width: 62em)').matches);
  return hasMenu ? (
    <Notifications position="bottom-left" containerWidth={CORNER_WIDTH} />
  ) : (
    <Notifications position="top-center" />
  );
}
