// Shows push messages while no page is open, and leads to the decision.
self.addEventListener("push", (event) => {
  const said = event.data.json();
  const options = { body: said.body, tag: said.tag, icon: "/static/icon.svg", data: said.link };
  event.waitUntil(self.registration.showNotification(said.title, options));
});

self.addEventListener("notificationclick", (event) => {
  event.notification.close();
  event.waitUntil(self.clients.openWindow(event.notification.data));
});
