{
  "cookies": [
    {
      "name": "sid",
      "value": "s3cret",
      "domain": "127.0.0.1",
      "path": "/",
      "expires": -1,
      "httpOnly": false,
      "secure": false,
      "sameSite": "Lax"
    }
  ],
  "origins": [
    {
      "origin": "http://127.0.0.1:36961",
      "localStorage": [
        {
          "name": "token",
          "value": "abc"
        }
      ]
    }
  ]
}