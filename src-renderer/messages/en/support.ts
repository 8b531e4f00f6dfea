/** About, the file for support, customers' data: loaded after the start. */
export const support = {
  'support.runtime': 'Runs on',
  'support.data': 'Data of this station',
  'support.database': 'Database',
  'support.megabytes': '{size, number, ::.0} MB',
  'support.log': 'Log',
  'support.diagnostics': 'Save a file for support',
  'support.diagnostics.how':
    'Versions, settings, counts and the last lines of the log. No credentials and no customer is in it.',
  'support.licences': 'Save the licences of others',
  'support.licences.how': 'Countertag is made with the work of others. This file names it, with its licences.',
  'support.customer': "A customer's data",
  'support.customer.how':
    'For a customer who asks what this station holds of them, or wants it gone. Of the connection in use only: switch to each of the others and do it there as well. It is erased by itself seven days after the service has the report.',
  'support.customer.id': 'Customer ID',
  'support.customer.form': 'A customer ID has 1 to 100 characters.',
  'support.customer.export': 'Save what is here',
  'support.customer.erase': 'Erase',
  'support.customer.erased':
    '{erased, plural, =0 {Nothing was here to erase.} one {Erased from one report.} other {Erased from # reports.}} {kept, plural, =0 {} one {One order or report that is not done keeps it until the service has it, and loses it then.} other {# orders or reports that are not done keep it until the service has them, and lose it then.}}',
  'support.erase.title': 'Erase this customer?',
  'support.erase.how':
    'Customer {customerId} is taken out of all reports of this connection that the service already has, and of the others as soon as it has them. This can’t be undone.',
  'support.erase.keep': 'Keep',

  'update.title': 'Countertag {version} is ready',
  'update.how':
    'It is installed when Countertag restarts. That takes about a minute; nothing that waits to be sent is lost, and the order in front stays.',
  'update.agreed': 'Countertag restarts as soon as nothing is on its way to the service.',
  'update.later': 'Later',
  'update.restart': 'Restart now',
}
