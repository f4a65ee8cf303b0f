SELECT q.submitted, q.recorded, l.loss, l.events FROM rtl_queue q JOIN rtl_queue_loss l ON l.queue_id = q.id;
