# A webhook handler as a user might write it with WEBrick, right at `/right`, and with one mistake at the path of each case. Prints its
# port.
require 'base64'
require 'json'
require 'openssl'
require 'set'
require 'webrick'

KEY = Base64.decode64(ENV.fetch('WEBHOOK_SECRET').delete_prefix('whsec_'))
SHORT_LIMIT = ENV.fetch('SHORT_LIMIT_SECONDS').to_f
KNOWN = Set['uri', 'geo', 'id', 'callback_uri', 'monitor_type', 'padding']
STATES = Hash.new { |states, fault| states[fault] = { done: Set[], begun: Set[], newest: 0 } }
LOCK = Mutex.new

def verify(request, body, fault)
  id, timestamp, signatures = %w[id timestamp signature].map { |name| request["webhook-#{name}"] }
  return true if fault == 'missing-signature' && signatures.nil?
  return false if [id, timestamp, signatures].any?(&:nil?)
  return false if fault != 'old-signature' && (Time.now.to_i - timestamp.to_i).abs > 300
  return true if fault == 'wrong-signature'

  expected = Base64.strict_encode64(OpenSSL::HMAC.digest('SHA256', KEY, "#{id}.#{timestamp}.".b + body.b))
  entries = fault == 'rotated-secret' ? [signatures] : signatures.split(' ')
  entries.any? { |entry| OpenSSL.secure_compare(entry.partition(',').last, expected) }
end

def read_body(request, fault)
  body = +''.b
  if fault == 'slow'
    Timeout.timeout(SHORT_LIMIT) { request.body { |chunk| body << chunk } }
  else
    request.body { |chunk| body << chunk unless fault == 'one-megabyte' && body.bytesize > 65_536 }
  end
  body
end

def respond(request, fault)
  state = LOCK.synchronize { STATES[fault] }
  return 417 if fault == 'interim-responses' && request['expect']

  id = request['webhook-id']
  if fault == 'retry'
    return 409 if state[:begun].include?(id) && !state[:done].include?(id)

    state[:begun] << id
  end
  request.continue if request['expect']
  body = read_body(request, fault)
  return 401 unless verify(request, body, fault)
  return fault == 'same-id-twice' ? 409 : 200 if state[:done].include?(id)

  timestamp = request['webhook-timestamp'].to_i
  return 400 if fault == 'out-of-order' && timestamp < state[:newest]

  state[:newest] = [state[:newest], timestamp].max
  event = JSON.parse(body)
  return 422 if fault == 'unknown-field' && !KNOWN.superset?(event.keys.to_set)
  return 500 if fault == 'gone' && event['id'] != 'precipitation_1'

  state[:done] << id
  204
rescue Timeout::Error
  408
end

silent = WEBrick::Log.new(File::NULL)
server = WEBrick::HTTPServer.new(BindAddress: '127.0.0.1', Port: 0, Logger: silent, AccessLog: [])
server.mount_proc('/') { |request, response| response.status = respond(request, request.path.delete_prefix('/')) }
puts server.listeners.first.addr[1]
$stdout.flush
server.start
