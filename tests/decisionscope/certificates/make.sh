#!/bin/sh
# Makes the certificates of the tests anew, next to itself: openssl 1.1.1 or later. They are throw-away:
# the keys are public, and nothing outside the tests trusts them.
set -eu
cd "$(dirname "$0")"
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cat > "$work/ca.conf" <<EOF
[ca]
default_ca = tests
[tests]
database = $work/index
serial = $work/serial
new_certs_dir = $work
default_md = sha256
policy = any
unique_subject = no
[any]
commonName = supplied
[authority]
basicConstraints = critical, CA:true
keyUsage = critical, keyCertSign, cRLSign
subjectKeyIdentifier = hash
[server]
basicConstraints = critical, CA:false
keyUsage = critical, digitalSignature
extendedKeyUsage = serverAuth
subjectKeyIdentifier = hash
authorityKeyIdentifier = keyid
subjectAltName = \${ENV::NAMES}
EOF
: > "$work/index"
echo 01 > "$work/serial"
export NAMES=DNS:unused
key() { openssl ecparam -name prime256v1 -genkey -noout -out "$1"; }
# issue FILE NAMES FROM TO: a certificate for the server's key
issue() {
    NAMES=$2 openssl ca -batch -notext -config "$work/ca.conf" -extensions server -subj "/CN=test server" \
        -cert authority.pem -keyfile "$work/authority.key" -in "$work/server.csr" \
        -startdate "$3" -enddate "$4" -out "$1" 2> /dev/null
}
key "$work/authority.key"
key server.key
openssl req -new -key server.key -subj "/CN=test server" -out "$work/server.csr"
openssl req -new -key "$work/authority.key" -subj "/CN=test authority" -out "$work/authority.csr"
openssl ca -batch -notext -config "$work/ca.conf" -extensions authority -selfsign \
    -keyfile "$work/authority.key" -in "$work/authority.csr" -subj "/CN=test authority" \
    -startdate 20200101000000Z -enddate 21200101000000Z -out authority.pem 2> /dev/null
issue good.pem DNS:localhost,IP:127.0.0.1 20200101000000Z 21200101000000Z
issue other-host.pem DNS:other.example 20200101000000Z 21200101000000Z
issue expired.pem DNS:localhost,IP:127.0.0.1 20200101000000Z 20200102000000Z
issue not-yet-valid.pem DNS:localhost,IP:127.0.0.1 21190101000000Z 21200101000000Z
cat good.pem authority.pem > with-authority.pem
openssl x509 -req -in "$work/server.csr" -signkey server.key -days 36500 -out self-signed.pem \
    -extfile "$work/ca.conf" -extensions authority 2> /dev/null
printf 'hash of the authority, its file name in a directory of certificates: '
openssl x509 -in authority.pem -noout -subject_hash
