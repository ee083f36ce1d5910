import { useMediaQuery } from '@mantine/hooks';
import { Notifications } from '@mantine/notifications';

/** The free width next to the menu with a window of usual width on a screen of 1280 pixels. */
const CORNER_WIDTH = 296;

/**
 * Notifications about completed actions. On a wide screen they cover the end of the menu, so that no window title or page
 * button is hidden; on a narrow screen, which has its buttons at the bottom, they appear at the top.
 */
export function Messages() {
  const hasMenu = useMediaQuery('(min-width: 62em)', window.matchMedia('(min-width: 62em)').matches);
  return hasMenu ? (
    <Notifications position="bottom-left" containerWidth={CORNER_WIDTH} />
  ) : (
    <Notifications position="top-center" />
  );
}
